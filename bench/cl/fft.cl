// fft.cl -- Fourier transforms of 64 complex floats, one a block, as bench/fft has it by hand.
#define N 64

__constant float2 twiddle[N / 2] = {
    (float2)(1.0f, 0.0f), (float2)(0.9951847f, -0.09801714f), (float2)(0.98078525f, -0.19509032f), (float2)(0.95694035f, -0.29028466f),
    (float2)(0.9238795f, -0.38268343f), (float2)(0.8819213f, -0.47139674f), (float2)(0.8314696f, -0.55557024f), (float2)(0.77301043f, -0.6343933f),
    (float2)(0.70710677f, -0.70710677f), (float2)(0.6343933f, -0.77301043f), (float2)(0.55557024f, -0.8314696f), (float2)(0.47139674f, -0.8819213f),
    (float2)(0.38268343f, -0.9238795f), (float2)(0.29028466f, -0.95694035f), (float2)(0.19509032f, -0.98078525f), (float2)(0.09801714f, -0.9951847f),
    (float2)(0.0f, -1.0f), (float2)(-0.09801714f, -0.9951847f), (float2)(-0.19509032f, -0.98078525f), (float2)(-0.29028466f, -0.95694035f),
    (float2)(-0.38268343f, -0.9238795f), (float2)(-0.47139674f, -0.8819213f), (float2)(-0.55557024f, -0.8314696f), (float2)(-0.6343933f, -0.77301043f),
    (float2)(-0.70710677f, -0.70710677f), (float2)(-0.77301043f, -0.6343933f), (float2)(-0.8314696f, -0.55557024f), (float2)(-0.8819213f, -0.47139674f),
    (float2)(-0.9238795f, -0.38268343f), (float2)(-0.95694035f, -0.29028466f), (float2)(-0.98078525f, -0.19509032f), (float2)(-0.9951847f, -0.09801714f)};

__kernel void fft(__global const float2 *signal, __global float2 *spectrum)
{
    __local float sh_re[N], sh_im[N];
    uint tid = get_local_id(0), place = 0;
    float2 x = signal[get_group_id(0) * N + tid];
    for (uint half_n = N / 2, step = 1; half_n > 0; half_n /= 2, step *= 2) {
        sh_re[tid] = x.x;
        sh_im[tid] = x.y;
        barrier(CLK_LOCAL_MEM_FENCE);
        float2 y = (float2)(sh_re[tid ^ half_n], sh_im[tid ^ half_n]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid & half_n) {
            x = y - x;
            place += step;
            uint k = tid & (half_n - 1);
            if (k) {
                float2 w = twiddle[k * step];
                x = (float2)(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
            }
        } else
            x += y;
    }
    spectrum[get_group_id(0) * N + place] = x;
}
