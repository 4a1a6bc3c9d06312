"""Products and decompositions of matrices (see `ops_fixtures`)."""

from tests.oracle.ops_fixtures import cases

DTYPES = "bool_ int8 int32 int64 uint8 float16 bfloat16 float32 float64 complex64".split()
# a positive definite matrix, a batch of them, and a well conditioned square one
SPD = "v([[4, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 2]])"
SQ = "v([[2, 1, 0.5], [-1, 3, 0.2], [0.5, 0.7, 2]])"

PRODUCTS = """
ops.matmul(a, b) : v([[1, 2], [3, 4]], DT); v([[1, 0], [2, 1]], DT)
ops.matmul(a, b) : n(2, 3); n(3, 4)
ops.matmul(a, b) : n(3); n(3)
ops.matmul(a, b) : n(3); n(3, 4)
ops.matmul(a, b) : n(2, 3); n(3)
ops.matmul(a, b) : n(5, 2, 3); n(3, 4)
ops.matmul(a, b) : n(2, 3); n(5, 3, 4)
ops.matmul(a, b) : n(5, 2, 3); n(3)
ops.matmul(a, b) : n(4, 1, 2, 3); n(5, 3, 2)
ops.matmul(a, b) : n(2, 3); n(2, 3)
ops.matmul(a, b) : n(); n(2)
ops.matmul(a, b) : n(4, 2, 3); n(5, 3, 2)
ops.matmul(a, b) : n(0, 3); n(3, 2)
ops.matmul(a, b) : h(n(2, 3)); n(3, 2)
ops.matmul(a, b) : i(3, 2, 3); n(3, 2)
ops.matmul(a, 2) : n(2, 3)
a.matmul(b) : n(2, 3); n(3, 4)
a @ b : n(3); n(3)
a @ b : n(2, 3, 4); n(2, 4, 3)
a @ 2 : n(2, 3)
P.MatMul()(a, b) : n(2, 3); n(3, 4)
P.MatMul(transpose_a=True)(a, b) : n(3, 2); n(3, 4)
P.MatMul(False, True)(a, b) : n(2, 3); n(4, 3)
P.MatMul(True, True)(a, b) : n(3, 2); n(4, 3)
P.MatMul()(a, b) : n(2, 3); n(2, 4)
P.MatMul()(a, b) : n(2, 2, 3); n(2, 3, 4)
P.MatMul()(a, b) : h(n(2, 3)); h(n(3, 2))
P.MatMul()(a, b) : v([[1, 2]], "int32"); v([[1], [2]], "int32")
P.BatchMatMul()(a, b) : n(2, 2, 3); n(2, 3, 4)
P.BatchMatMul(transpose_b=True)(a, b) : n(2, 2, 3); n(2, 4, 3)
P.BatchMatMul(True)(a, b) : n(2, 3, 2); n(2, 3, 4)
P.BatchMatMul()(a, b) : n(2, 2, 3); n(3, 4)
P.BatchMatMul()(a, b) : n(2, 1, 2, 3); n(4, 3, 2)
ops.bmm(a, b) : n(2, 2, 3); n(2, 3, 4)
ops.bmm(a, b) : n(2, 2, 3); n(3, 3, 4)
ops.bmm(a, b) : n(2, 3); n(3, 4)
a.bmm(b) : n(2, 2, 3); n(2, 3, 4)
ops.mm(a, b) : n(2, 3); n(3, 4)
ops.mm(a, b) : n(2, 2, 3); n(3, 4)
a.mm(b) : n(2, 3); n(3, 4)
ops.mv(a, b) : n(2, 3); n(3)
ops.mv(a, b) : n(2, 3); n(3, 1)
a.mv(b) : n(2, 3); n(3)
ops.dot(a, b) : n(2, 3); n(3, 2)
ops.dot(a, b) : n(3); n(3)
ops.dot(a, b) : n(2, 2, 3); n(2, 3, 2)
ops.dot(a, b) : n(2, 3); n(2, 3)
ops.inner(a, b) : n(2, 3); n(4, 3)
ops.inner(a, b) : n(3); n(3)
a.inner(b) : n(3); n(3)
ops.vecdot(a, b) : n(2, 3); n(2, 3)
ops.batch_dot(a, b, 1) : n(2, 3); n(2, 3)
ops.batch_dot(a, b, (-1, -2)) : n(2, 2, 3); n(2, 3, 2)
ops.outer(a, b) : n(3); n(2)
ops.outer(a, b) : n(3); n(2, 2)
a.outer(b) : n(3); n(2)
ops.ger(a, b) : n(3); n(2)
P.Ger()(a, b) : n(3); n(2)
ops.tensor_dot(a, b, 1) : n(2, 3); n(3, 4)
ops.tensor_dot(a, b, 2) : n(2, 3); n(2, 3)
ops.tensor_dot(a, b, ((0,), (1,))) : n(2, 3); n(4, 2)
ops.tensor_dot(a, b, ((0, 1), (1, 0))) : n(2, 3); n(3, 2)
ops.tensor_dot(a, b, [1, 0]) : n(2, 3); n(3, 2)
ops.einsum("ij,jk->ik", a, b) : n(2, 3); n(3, 4) !
ops.einsum("bij,bjk->bik", a, b) : n(2, 2, 3); n(2, 3, 4) !
ops.einsum("ii->i", a) : n(3, 3) !
ops.einsum("i,j->ij", a, b) : n(2); n(3) !
ops.einsum("...ij->...ji", a) : n(2, 2, 3) !
P.Einsum("ij,jk->ik")((a, b)) : n(2, 3); n(3, 4) !
ops.addmm(a, b, c) : n(2, 4); n(2, 3); n(3, 4)
ops.addmm(a, b, c, beta=0.5, alpha=2) : n(4); n(2, 3); n(3, 4)
ops.addmm(a, b, c, beta=0.5, alpha=2) : n(2, 4); n(2, 3); n(3, 4)
a.addmm(b, c, beta=2, alpha=0.5) : n(2, 4); n(2, 3); n(3, 4)
ops.addmv(a, b, c) : n(2); n(2, 3); n(3)
ops.addmv(a, b, c, beta=0.5, alpha=2) : n(2); n(2, 3); n(3)
a.addmv(b, c) : n(2); n(2, 3); n(3)
ops.baddbmm(a, b, c) : n(2, 2, 4); n(2, 2, 3); n(2, 3, 4)
ops.baddbmm(a, b, c, beta=0.5, alpha=2) : n(2, 2, 4); n(2, 2, 3); n(2, 3, 4)
a.baddbmm(b, c, beta=0.5, alpha=2) : n(2, 2, 4); n(2, 2, 3); n(2, 3, 4)
ops.addbmm(a, b, c) : n(2, 4); n(3, 2, 3); n(3, 3, 4)
ops.addbmm(a, b, c, beta=0.5, alpha=2) : n(2, 4); n(3, 2, 3); n(3, 3, 4)
ops.addr(a, b, c) : n(2, 3); n(2); n(3)
ops.addr(a, b, c, beta=0.5, alpha=2) : n(2, 3); n(2); n(3)
ops.dense(a, b, c) : n(2, 3); n(4, 3); n(4)
ops.dense(a, b) : n(2, 5, 3); n(4, 3)
ops.dense(a, b) : n(2, 3); n(4, 2)
ops.dense(a, b, c) : n(3); n(4, 3); n(4)
P.Dense()(a, b, c) : n(2, 3); n(4, 3); n(4)
ops.bias_add(a, b) : n(2, 3); n(3)
ops.bias_add(a, b) : n(2, 3, 4, 4); n(3)
P.BiasAdd()(a, b) : n(2, 3, 4, 4); n(3)
ops.kron(a, b) : n(2, 3); n(2, 2)
ops.cross(a, b) : n(2, 3); n(2, 3)
ops.cross(a, b, 0) : n(3, 2); n(3, 2)
a.cross(b, dim=1) : n(2, 3); n(2, 3)
ops.cross(a, b) : n(2, 4); n(2, 4)
ops.cdist(a, b) : n(3, 2); n(4, 2)
ops.cdist(a, b, 1.0) : n(3, 2); n(4, 2)
ops.cdist(a, b, float("inf")) : n(3, 2); n(4, 2)
P.Cdist(p=2.0)(a, b) : n(2, 3, 2); n(2, 4, 2)
ops.trace(a) : n(3, 3)
P.Trace()(a) : n(3, 3)
ops.logdet(a) : SPD !
ops.matrix_power(a, 3) : n(3, 3)
ops.matrix_power(a, 0) : n(3, 3) !
ops.matrix_power(a, -1) : SQ !
a.matrix_power(2) : n(3, 3)
ops.matrix_exp(a) : n(3, 3) !
ops.renorm(a, 1, 1, 0.5) : n(3, 4)
"""

DECOMPOSITIONS = """
ops.inverse(a) : SQ
ops.matrix_solve(a, b) : SQ; n(3, 2) !
P.MatrixInverse()(a) : SQ !
P.MatrixInverse(adjoint=True)(a) : SQ !
a.inverse() : SQ
a.inv() : v([1, 2, 4])
ops.pinv(a) : n(3, 2) !
ops.det(a) : SQ
ops.slogdet(a) : SQ
a.det() : SQ
a.slogdet() : SQ
a.log_matrix_determinant() : SQ !
a.matrix_determinant() : SQ !
P.MatrixDeterminant()(a) : SQ !
P.LogMatrixDeterminant()(a) : SQ !
ops.cholesky(a) : SPD
ops.cholesky(a, True) : SPD !
a.cholesky() : SPD !
P.Cholesky()(a) : SPD !
ops.cholesky_inverse(a) : v([[2, 0, 0], [0.5, 1.5, 0], [0.2, 0.1, 1]]) !
ops.cholesky_inverse(a, True) : v([[2, 0.5, 0.2], [0, 1.5, 0.1], [0, 0, 1]]) !
ops.cholesky_solve(a, b) : n(3, 2); v([[2, 0, 0], [0.5, 1.5, 0], [0.2, 0.1, 1]]) !
ops.cholesky_solve(a, b, True) : n(3, 2); v([[2, 0.5, 0.2], [0, 1.5, 0.1], [0, 0, 1]]) !
abs(ops.qr(a)[1]) : n(3, 2) !
ops.qr(a, "complete")[0].shape : n(3, 2) !
abs(P.Qr()(a)[1]) : n(3, 3) !
ops.svd(a, compute_uv=False) : n(3, 2) !
[t.shape for t in ops.svd(a)] : n(3, 2) !
[t.shape for t in ops.svd(a, full_matrices=True)] : n(3, 2) !
ops.svd(a)[0] : n(3, 2) !
[t.shape for t in P.Svd()(a)] : n(3, 2) !
a.svd()[0] : n(3, 2) !
ops.eigvals(a).abs().asnumpy().sum() : SPD !
ops.eig(a)[0].shape : SPD !
ops.lstsq(a, b) : n(4, 2); n(4, 3) !
ops.lu_solve(a, b, c) : n(3, 1); v([[2, 1, 0], [0.5, 1.5, 0.1], [0.2, 0.1, 1]]); v([1, 2, 3], "int32") !
ops.orgqr(a, b) : n(3, 3); n(3) !
ops.geqrf(a)[0].abs() : n(3, 3) !
ops.cond(a) : SQ !
ops.cond(a, 1) : SQ !
ops.cond(a, "fro") : SQ !
a.adjoint() : n(2, 3) !
a.mH : n(2, 3) !
"""
TABLES = [t.replace("SPD", SPD).replace("SQ", SQ) for t in (PRODUCTS, DECOMPOSITIONS)]
CASES = cases(*TABLES, dtypes=DTYPES)
