# For pages: sep(N) is a whole number with a comma after each three digits from the right.
function sep(n,    t, out) {
    for (t = sprintf("%d", n); length(t) > 3; t = substr(t, 1, length(t) - 3)) out = "," substr(t, length(t) - 2) out
    return t out
}
