// Gaussian elimination, column k: the multipliers, then all rows below.

__kernel void multipliers(__global const float *a, __global float *m, uint n, uint k)
{
    uint row = k + 1 + get_global_id(0);
    if (row < n)
        m[row * n + k] = a[row * n + k] / a[k * n + k];
}

__kernel void eliminate(__global float *a, __global float *b, __global const float *m, uint n, uint k)
{
    uint col = k + get_global_id(0), row = k + 1 + get_global_id(1);
    if (col >= n || row >= n)
        return;
    a[row * n + col] -= m[row * n + k] * a[k * n + col];
    if (col == k)
        b[row] -= m[row * n + k] * b[k];
}
