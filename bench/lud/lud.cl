// LU decomposition in place, by tiles: the one on the diagonal, then those beside and below it, then all that remain. A
// product is taken off as soon as it is there, so results do not depend on the tiles.
#define T 16

__kernel void diagonal(__global float *m, uint n, uint at)
{
    __local float a[T][T];
    uint tid = get_local_id(0);
    for (uint y = 0; y < T; y++)
        a[y][tid] = m[(at + y) * n + at + tid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < T - 1; k++) {
        if (tid > k) {
            float l = a[tid][k] / a[k][k];
            a[tid][k] = l;
            for (uint x = k + 1; x < T; x++)
                a[tid][x] -= l * a[k][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint y = 0; y < T; y++)
        m[(at + y) * n + at + tid] = a[y][tid];
}

// The first T threads do a tile of the row, the others one of the column.
__kernel void perimeter(__global float *m, uint n, uint at)
{
    __local float d[T][T], row[T][T], col[T][T + 1];
    uint t = get_local_id(0) & (T - 1), far = at + (get_group_id(0) + 1) * T;
    bool is_row = get_local_id(0) < T;
    for (uint y = 0; y < T; y++) {
        if (is_row) {
            d[y][t] = m[(at + y) * n + at + t];
            row[y][t] = m[(at + y) * n + far + t];
        } else
            col[y][t] = m[(far + y) * n + at + t];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_row) {
        for (uint y = 1; y < T; y++)
            for (uint k = 0; k < y; k++)
                row[y][t] -= d[y][k] * row[k][t];
    } else
        for (uint x = 0; x < T; x++) {
            for (uint k = 0; k < x; k++)
                col[t][x] -= col[t][k] * d[k][x];
            col[t][x] /= d[x][x];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint y = 0; y < T; y++)
        if (is_row)
            m[(at + y) * n + far + t] = row[y][t];
        else
            m[(far + y) * n + at + t] = col[y][t];
}

__kernel void inner(__global float *m, uint n, uint at)
{
    __local float row[T][T], col[T][T];
    uint tx = get_local_id(0), ty = get_local_id(1);
    uint x = at + T + get_global_id(0), y = at + T + get_global_id(1);
    row[ty][tx] = m[(at + ty) * n + x];
    col[ty][tx] = m[y * n + at + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float v = m[y * n + x];
    for (uint k = 0; k < T; k++)
        v -= col[ty][k] * row[k][tx];
    m[y * n + x] = v;
}
