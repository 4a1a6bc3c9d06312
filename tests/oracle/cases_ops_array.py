"""Shapes, joins, gathers, scatters, creation, in-place methods (see `ops_fixtures`)."""

from tests.oracle.ops_fixtures import cases

SHAPES = """
ops.reshape(a, (3, 2)) : n(2, 3)
ops.reshape(a, (-1,)) : n(2, 3)
ops.reshape(a, [6, 1]) : n(2, 3)
ops.reshape(a, (4, 2)) : n(2, 3)
ops.reshape(a, (-1, -1)) : n(2, 3)
ops.reshape(a, (0, -1)) : n(0, 3)
a.reshape(3, 2) : n(2, 3)
a.reshape((3, 2)) : n(2, 3)
a.reshape([3, -1]) : n(2, 3)
a.reshape(-1) : n(2, 3)
a.reshape(()) : n(1)
a.view(3, 2) : n(2, 3)
a.view((3, 2)) : n(2, 3)
a.view(-1, 2) : n(2, 3)
a.view_as(b) : n(2, 3); n(3, 2)
a.reshape_as(b) : n(2, 3); n(3, 2)
P.Reshape()(a, (3, 2)) : n(2, 3)
ops.transpose(a, (1, 0)) : n(2, 3)
ops.transpose(a, (0, 2, 1)) : n(2, 3, 4)
ops.transpose(a, (-1, 0, 1)) : n(2, 3, 4)
ops.transpose(a, (0, 0, 1)) : n(2, 3, 4)
ops.transpose(a, (0, 1)) : n(2, 3, 4)
a.transpose() : n(2, 3, 4)
a.transpose(0, 2, 1) : n(2, 3, 4)
a.transpose((0, 2, 1)) : n(2, 3, 4)
a.transpose([2, 1, 0]) : n(2, 3, 4)
a.transpose(1, 2) : n(2, 3, 4)
a.transpose(1, 0) : n(2, 3)
a.transpose(0, 1) : n(2, 3)
a.transpose(-1, -2) : n(2, 3, 4)
a.transpose(dim0=0, dim1=1) : n(2, 3, 4)
a.T : n(2, 3)
a.T : n(2, 3, 4)
a.mT : n(2, 3, 4)
a.H : n(2, 3)
a.t() : n(2, 3)
ops.t(a) : n(3)
ops.t(a) : n(2, 3, 4)
P.Transpose()(a, (1, 0)) : n(2, 3)
ops.permute(a, (2, 0, 1)) : n(2, 3, 4)
a.permute(2, 0, 1) : n(2, 3, 4)
a.permute((2, 0, 1)) : n(2, 3, 4)
ops.swapaxes(a, 0, 2) : n(2, 3, 4)
a.swapaxes(0, -1) : n(2, 3, 4)
a.swapdims(0, 1) : n(2, 3, 4)
ops.swapdims(a, 0, 1) : n(2, 3, 4)
ops.movedim(a, 0, 2) : n(2, 3, 4)
ops.movedim(a, (0, 1), (1, 2)) : n(2, 3, 4)
ops.moveaxis(a, 0, -1) : n(2, 3, 4)
a.moveaxis(0, -1) : n(2, 3, 4)
ops.expand_dims(a, 0) : n(2, 3)
ops.expand_dims(a, -1) : n(2, 3)
ops.expand_dims(a, (0, 2)) : n(2, 3)
ops.expand_dims(a, 5) : n(2, 3)
a.expand_dims(1) : n(2, 3)
a.unsqueeze(1) : n(2, 3)
ops.unsqueeze(a, dim=-1) : n(2, 3)
P.ExpandDims()(a, 0) : n(2, 3)
ops.squeeze(a) : n(1, 3, 1)
ops.squeeze(a, 0) : n(1, 3, 1)
ops.squeeze(a, (0, 2)) : n(1, 3, 1)
ops.squeeze(a, 1) : n(1, 3, 1)
ops.squeeze(a, 7) : n(1, 3, 1)
a.squeeze() : n(1, 3, 1)
a.squeeze(-1) : n(1, 3, 1)
a.squeeze(axis=0) : n(1, 3, 1)
a.squeeze((0, 2)) : n(1, 3, 1)
P.Squeeze(0)(a) : n(1, 3)
P.Squeeze()(a) : n(1, 3, 1)
ops.flatten(a) : n(2, 3, 4)
ops.flatten(a, start_dim=0) : n(2, 3, 4)
ops.flatten(a, start_dim=1, end_dim=2) : n(2, 3, 4, 2)
ops.flatten(a, order="F") : n(2, 3, 4)
ops.flatten(a, order="F", start_dim=0) : n(2, 3)
ops.flatten(a) : n()
ops.flatten(a) : n(3)
ops.flatten(a, start_dim=2, end_dim=1) : n(2, 3, 4)
a.flatten() : n(2, 3)
a.flatten(start_dim=1) : n(2, 3, 4)
a.flatten(1) : n(2, 3, 4)
a.flatten("F") : n(2, 3)
P.Flatten()(a) : n(2, 3, 4)
ops.ravel(a) : n(2, 3)
a.ravel() : n(2, 3)
ops.broadcast_to(a, (2, 3)) : n(3)
ops.broadcast_to(a, (2, -1)) : n(3)
ops.broadcast_to(a, (2, 4)) : n(3)
ops.broadcast_to(a, (-1, 3)) : n(3)
ops.broadcast_to(a, (3,)) : n(2, 3)
a.broadcast_to((2, 3)) : n(3)
a.expand(2, 3) : n(3)
a.expand(2, -1) : n(2, 1)
a.expand((2, 3)) : n(1, 3)
a.expand_as(b) : n(3); n(2, 3)
P.BroadcastTo((2, 3))(a) : n(3)
ops.tile(a, (2, 2)) : n(2, 3)
ops.tile(a, (2,)) : n(2, 3)
ops.tile(a, (2, 1, 2)) : n(2, 3)
ops.tile(a, 2) : n(2, 3)
a.tile((2, 2)) : n(2, 3)
a.tile(2, 2) : n(2, 3)
a.repeat(2) : n(2, 3)
a.repeat(2, 1) : n(2, 3)
a.repeat(2, 1, 2) : n(2, 3)
a.repeat((2, 1)) : n(2, 3)
a.repeat(2, axis=1) : n(2, 3)
P.Tile()(a, (2, 1)) : n(2, 3)
ops.repeat_interleave(a, 2) : n(2, 3)
ops.repeat_interleave(a, 2, 0) : n(2, 3)
ops.repeat_interleave(a, [1, 2], 0) : n(2, 3)
ops.repeat_interleave(a, b, axis=0) : n(2, 3); v([1, 2], "int64")
a.repeat_interleave(2, 1) : n(2, 3)
a.repeat_interleave(2, dim=0) : n(2, 3)
a.repeat_interleave(repeats=2) : n(2, 3)
ops.repeat_elements(a, 2, 1) : n(2, 3)
ops.concat((a, b)) : n(2, 3); n(4, 3)
ops.concat([a, b], 1) : n(2, 3); n(2, 1)
ops.concat((a, b), axis=-1) : n(2, 3); n(2, 1)
ops.concat((a, b)) : n(2, 3); n(2, 4)
ops.concat((a, b)) : n(2, 3); i(3, 2, 3)
ops.concat((a, b)) : h(n(2, 3)); n(2, 3)
ops.concat((a, b)) : n(0, 3); n(2, 3)
ops.concat(()) : n(2) !
ops.concat((a,)) : n(2, 3)
ops.concat((a, b), 5) : n(2, 3); n(2, 3)
ops.cat((a, b), 0) : n(2, 3); n(2, 3)
ops.cat((a, b), axis=1) : n(2, 3); n(2, 3)
P.Concat(1)((a, b)) : n(2, 3); n(2, 1)
P.Concat()((a, b)) : n(2, 3); n(2, 3)
ops.stack((a, b)) : n(2, 3); n(2, 3)
ops.stack([a, b], 1) : n(2, 3); n(2, 3)
ops.stack([a, b], axis=-1) : n(2, 3); n(2, 3)
ops.stack([a, b]) : n(2, 3); n(2, 2)
ops.stack([a, b]) : n(2, 3); i(3, 2, 3)
P.Stack(1)((a, b)) : n(2, 3); n(2, 3)
ops.vstack((a, b)) : n(3); n(3)
ops.vstack((a, b)) : n(2, 3); n(1, 3)
ops.hstack((a, b)) : n(3); n(2)
ops.hstack((a, b)) : n(2, 3); n(2, 1)
ops.dstack((a, b)) : n(2, 3); n(2, 3)
ops.dstack((a, b)) : n(3); n(3)
ops.column_stack((a, b)) : n(3); n(3, 2)
ops.row_stack((a, b)) : n(3); n(3)
ops.split(a, 2) : n(5, 2)
ops.split(a, 1, axis=1) : n(2, 3)
ops.split(a, [1, 4]) : n(5, 2)
ops.split(a, (1, 1), 1) : n(2, 3)
ops.split(a, [1, 2], axis=1) : n(2, 3)
ops.split(a, 0) : n(5, 2)
a.split(2) : n(4, 2)
a.split(1, 1) : n(2, 3)
a.split([1, 2], axis=1) : n(2, 3)
a.split(split_size_or_sections=2, axis=0) : n(4, 2)
a.split(1, dim=1) : n(2, 3)
P.Split(1, 3)(a) : n(2, 3)
P.Split(0, 2)(a) : n(3, 2)
ops.chunk(a, 2) : n(5, 2)
ops.chunk(a, 3, axis=1) : n(2, 7)
a.chunk(2, 1) : n(2, 4)
a.chunk(2, axis=-1) : n(2, 4)
a.chunk(2, dim=-1) : n(2, 4)
ops.tensor_split(a, 2) : n(5, 2)
ops.tensor_split(a, (1, 3)) : n(5, 2)
ops.tensor_split(a, 3, axis=1) : n(2, 7)
a.tensor_split(2, axis=1) : n(2, 4)
ops.hsplit(a, 2) : n(2, 4)
ops.vsplit(a, 2) : n(4, 2)
ops.dsplit(a, 2) : n(2, 2, 4)
a.hsplit(2) : n(2, 4)
a.vsplit([1]) : n(4, 2)
ops.unbind(a) : n(2, 3)
ops.unbind(a, 1) : n(2, 3)
ops.unstack(a, axis=1) : n(2, 3)
a.unbind(1) : n(2, 3)
P.Unstack(1)(a) : n(2, 3)
ops.flip(a, (0,)) : n(2, 3)
ops.flip(a, (0, 1)) : n(2, 3)
a.flip(0) : n(2, 3)
a.flip((0, 1)) : n(2, 3)
a.flip([1]) : n(2, 3)
ops.flipud(a) : n(2, 3)
ops.fliplr(a) : n(2, 3)
a.fliplr() : n(2, 3)
P.ReverseV2([1])(a) : n(2, 3)
ops.reverse(a, [0]) : n(2, 3)
ops.roll(a, 1) : n(2, 3)
ops.roll(a, 1, 0) : n(2, 3)
ops.roll(a, (1, 2), (0, 1)) : n(2, 3)
a.roll(1, 1) : n(2, 3)
a.roll(shifts=-1, dims=0) : n(2, 3)
ops.rot90(a, 1, (0, 1)) : n(2, 3)
ops.rot90(a, -1, [1, 0]) : n(2, 3)
a.rot90(2, (0, 1)) : n(2, 3)
ops.pad(a, (1, 2)) : n(2, 3)
ops.pad(a, [1, 2, 0, 1]) : n(2, 3)
ops.pad(a, (1, 1), value=5.0) : n(2, 3)
ops.pad(a, (1, 1), "constant", 2) : i(5, 3)
ops.pad(a, (-1, 0)) : n(2, 3)
ops.pad(a, (1, 1, 1, 1), mode="reflect") : n(1, 2, 3, 3)
ops.pad(a, (1, 1), mode="reflect") : n(2, 3)
ops.pad(a, (1, 1, 1, 1), mode="replicate") : n(1, 2, 3, 3)
ops.pad(a, (1, 1), mode="circular") : n(1, 2, 3)
ops.pad(a, (1,)) : n(2, 3)
ops.pad(a, (1, 1, 1, 1, 1, 1)) : n(2, 3)
ops.pad(a, (1, 1), mode="bad") : n(2, 3)
ops.pad(a, (1, 1), mode="reflect", value=1) : n(2, 3)
P.Pad(((0, 1), (1, 2)))(a) : n(2, 3)
P.MirrorPad()(a, b) : n(2, 3); v([[0, 1], [1, 2]], "int64")
P.MirrorPad(mode="SYMMETRIC")(a, b) : n(2, 3); v([[0, 1], [1, 2]], "int64")
P.PadV3()(a, b, c) : n(2, 3); v([1, 2], "int64"); v(1.0) !
ops.padding(a, 4) : n(2, 1) !
ops.slice(a, (0, 1), (2, 2)) : n(3, 4)
ops.slice(a, [0, 1], [-1, 2]) : n(3, 4)
P.Slice()(a, (1, 0), (1, 3)) : n(3, 4)
ops.strided_slice(a, (0, 1), (2, 3), (1, 1)) : n(3, 4)
ops.strided_slice(a, (2, 3), (0, 0), (-1, -2)) : n(3, 4)
ops.strided_slice(a, (1,), (2,), (1,)) : n(3, 4)
P.StridedSlice()(a, (0, 0), (3, 4), (2, 2)) : n(3, 4)
P.StridedSlice(begin_mask=1, end_mask=2)(a, (1, 1), (2, 2), (1, 1)) : n(3, 4)
P.StridedSlice(shrink_axis_mask=1)(a, (1, 0), (2, 4), (1, 1)) : n(3, 4)
P.StridedSlice(new_axis_mask=1)(a, (1, 0), (2, 4), (1, 1)) : n(3, 4)
P.StridedSlice(ellipsis_mask=1)(a, (1, 0), (2, 2), (1, 1)) : n(3, 4)
ops.narrow(a, 1, 1, 2) : n(3, 4)
a.narrow(0, 1, 2) : n(3, 4)
a.narrow(dim=0, start=1, length=1) : n(3, 4)
a.select(1, 2) : n(3, 4)
ops.meshgrid(a, b) : n(2); n(3)
ops.meshgrid(a, b, indexing="ij") : n(2); n(3)
P.Meshgrid()((a, b)) : n(2); n(3)
P.Meshgrid(indexing="ij")((a, b)) : n(2); n(3)
ops.atleast_1d(a) : n()
ops.atleast_2d(a) : n(3)
ops.atleast_3d(a) : n(3)
ops.atleast_2d([a, b]) : n(3); n()
ops.block_diag(a, b) : n(2, 2); n(1, 3)
ops.cartesian_prod(a, b) : n(2); n(3)
ops.combinations(a) : n(4)
ops.combinations(a, 2, True) : n(3)
ops.vander(a) : n(3)
ops.vander(a, 2) : n(3)
ops.diag(a) : n(3)
ops.diag(a) : n(2, 2)
ops.diagflat(a) : n(2, 2)
ops.diagflat(a, 1) : n(3)
ops.diagonal(a) : n(3, 4)
ops.diagonal(a, 1) : n(3, 4)
ops.diagonal(a, offset=-1, dim1=1, dim2=2) : n(2, 3, 4)
a.diagonal() : n(3, 3)
a.diagonal(offset=1, axis1=0, axis2=1) : n(3, 3)
a.diag() : n(3)
ops.diag_embed(a) : n(2, 3)
ops.diag_embed(a, 1) : n(2, 3)
ops.diag_embed(a, -1, 0, 2) : n(2, 3)
ops.tril(a) : n(3, 4)
ops.tril(a, 1) : n(3, 4)
ops.triu(a, -1) : n(2, 3, 4)
ops.triu(a, diagonal=1) : n(3, 4)
a.tril(-1) : n(3, 4)
a.triu(1) : i(9, 3, 4)
P.Tril()(a) : n(3, 4) !
P.Triu(1)(a) : n(3, 4) !
ops.tril_indices(3, 4) : n(1) !
ops.triu_indices(3, 4, 1) : n(1) !
ops.tril_indices(3, 4, -1, dtype=ms.int32) : n(1) !
ops.matrix_diag(a) : n(3)
ops.matrix_diag_part(a, 0, b) : n(3, 3); v(0.0)
ops.matrix_set_diag(a, b) : n(3, 3); n(3)
ops.matrix_band_part(a, 1, 1) : n(4, 4) !
a.fill_diagonal(5.0) : n(3, 3) !
ops.space_to_batch_nd(a, [2, 2], [[0, 0], [0, 0]]) : n(1, 1, 4, 4)
ops.batch_to_space_nd(a, [2, 2], [[0, 0], [0, 0]]) : n(4, 1, 2, 2)
P.SpaceToDepth(2)(a) : n(1, 2, 4, 4)
P.DepthToSpace(2)(a) : n(1, 8, 2, 2)
P.SpaceToBatch(2, [[0, 0], [0, 0]])(a) : n(1, 1, 4, 4)
P.BatchToSpace(2, [[0, 0], [0, 0]])(a) : n(4, 1, 2, 2)
ops.reverse_sequence(a, b, 1) : n(3, 4); v([1, 2, 4], "int64")
P.ReverseSequence(1)(a, b) : n(3, 4); v([1, 2, 4], "int64")
ops.sequence_mask(a) : v([1, 3, 2], "int32")
ops.sequence_mask(a, 4) : v([1, 3, 2], "int32")
ops.shape(a) : n(2, 3) !
ops.size(a) : n(2, 3) !
ops.rank(a) : n(2, 3) !
ops.dtype(a) : n(2, 3) !
ops.numel(a) : n(2, 3) !
P.Shape()(a) : n(2, 3) !
P.TensorShape()(a) : n(2, 3) !
P.Rank()(a) : n(2, 3) !
P.Size()(a) : n(2, 3) !
P.DType()(a) : n(2, 3) !
a.size : n(2, 3) !
a.ndim : n(2, 3) !
a.itemsize : n(2, 3) !
a.nbytes : n(2, 3) !
a.strides : n(2, 3) !
a.stride() : n(2, 3) !
a.dim() : n(2, 3) !
a.numel() : n(2, 3) !
a.nelement() : n(2, 3) !
a.is_contiguous() : n(2, 3) !
a.contiguous() : n(2, 3)
a.is_floating_point() : n(2) !
a.is_signed() : n(2) !
a.is_complex() : n(2) !
P.Identity()(a) : n(3)
P.Depend()(a, b) : n(3); n(3)
P.TupleToArray()((1, 2, 3)) : n(1) !
P.ScalarToArray()(2.0) : n(1) !
P.ScalarToTensor()(2, ms.float32) : n(1) !
P.ScalarCast()(2.7, ms.int32) : n(1) !
ops.scalar_to_tensor(3) : n(1) !
ops.scalar_to_tensor(2.5, ms.float16) : n(1) !
ops.scalar_cast(2.7, ms.int32) : n(1) !
ops.scalar_to_array(2.5) : n(1) !
ops.tuple_to_array((1.0, 2.0)) : n(1) !
ops.shuffle(a).shape : n(4) !
"""

CREATION = """
ops.zeros((2, 3)) : n(1) !
ops.zeros(3, ms.int32) : n(1) !
ops.zeros(()) : n(1) !
ops.zeros([2], dtype=ms.float16) : n(1) !
ops.zeros((-1,)) : n(1) !
ops.ones((2, 3)) : n(1) !
ops.ones(3, ms.bool_) : n(1) !
ops.ones(2, dtype=ms.int64) : n(1) !
P.Zeros()((2, 3), ms.float32) : n(1) !
P.Ones()(3, ms.int32) : n(1) !
ops.full((2, 3), 5) : n(1) !
ops.full((2,), 2.5) : n(1) !
ops.full(2, True) : n(1) !
ops.full((2,), 3, dtype=ms.float32) : n(1) !
ops.fill(ms.float32, (2, 3), 1) : n(1) !
P.Fill()(ms.int32, (2,), 3) : n(1) !
ops.fills(a, 3) : n(2) !
ops.zeros_like(a) : n(2, 3) !
ops.zeros_like(a, dtype=ms.int32) : n(2, 3) !
ops.ones_like(a) : i(3, 2) !
ops.ones_like(a, dtype=ms.float32) : m(3) !
ops.full_like(a, 2.5) : n(2) !
ops.full_like(a, 2.5) : i(3, 2) !
ops.full_like(a, 2, dtype=ms.int32) : n(2) !
P.ZerosLike()(a) : n(2) !
P.OnesLike()(a) : m(2) !
ops.arange(5) : n(1) !
ops.arange(1, 6, 2) : n(1) !
ops.arange(1.0, 2.0, 0.25) : n(1) !
ops.arange(5, 0, -2) : n(1) !
ops.arange(0, 5, dtype=ms.float32) : n(1) !
ops.arange(3, 3) : n(1) !
ops.arange(0, 5, 0) : n(1) !
ops.arange(5, 0) : n(1) !
ops.arange(2.5) : n(1) !
ops.arange(0, 1, 0.3) : n(1) !
ops.range(0, 5, 2) : n(1) !
ops.range(a, b, c) : v(0, "int32"); v(6, "int32"); v(2, "int32")
P.Range()(a, b, c) : v(0.0); v(6.0); v(2.0) !
ops.linspace(0, 1, 5) : n(1) !
ops.linspace(a, b, 5) : v(0.0); v(4.0) !
ops.linspace(1, 10, 4) : n(1) !
ops.linspace(1, 10, 1) : n(1) !
ops.logspace(0, 2, 3) : n(1) !
ops.logspace(a, b, 3, 2) : v(0.0); v(2.0) !
ops.eye(3) : n(1) !
ops.eye(2, 3) : n(1) !
ops.eye(2, 3, ms.int32) : n(1) !
P.Eye()(2, 3, ms.float32) : n(1) !
ops.one_hot(a, 3) : v([0, 2, 1], "int64")
ops.one_hot(a, 3, b, c) : v([0, 2, 5], "int32"); v(1.0); v(0.0) !
ops.one_hot(a, 3, 2.0, -1.0) : v([0, 2, -1], "int64")
ops.one_hot(a, 3, axis=0) : v([[0, 2], [1, 1]], "int64")
P.OneHot()(a, 3, b, c) : v([0, 2, 1], "int32"); v(1.0); v(0.0) !
P.OneHot(axis=0)(a, 3, b, c) : v([0, 2, 1], "int32"); v(1, "int32"); v(0, "int32") !
a.new_zeros((2, 3)) : h(n(2)) !
a.new_zeros(2, dtype=ms.int32) : n(2) !
a.new_ones((2, 3)) : i(3, 2) !
a.new_full((2,), 3.5) : n(2) !
a.new_empty((2,)).shape : n(2) !
a.fill(3) : n(2) !
a.fill(2.5) : i(3, 2) !
a.copy() : n(2) !
a.clone() : n(2)
ops.hann_window(5) : n(1) !
ops.hamming_window(5) : n(1) !
ops.blackman_window(5) : n(1) !
ops.bartlett_window(5, periodic=False) : n(1) !
ops.kaiser_window(5) : n(1) !
Tensor([1, 2]) : n(1) !
Tensor([1.5, 2]) : n(1) !
Tensor(3) : n(1) !
Tensor(True) : n(1) !
Tensor([[1, 2], [3, 4]], ms.float16) : n(1) !
Tensor(np.zeros((2, 0))) : n(1) !
ms.Tensor.from_numpy(np.ones(2, np.float32)) : n(1) !
"""

GATHERS = """
ops.gather(a, b, 0) : n(4, 3); v([0, 2, 2], "int32")
ops.gather(a, b, 1) : n(4, 3); v([[0, 2], [1, 1]], "int64")
ops.gather(a, b, -1) : n(4, 3); v([0, 2], "int64")
ops.gather(a, b, 0) : n(4, 3); v([0, 9, -1], "int32")
ops.gather(a, b, 1, 1) : n(2, 3); v([[0, 2], [1, 1]], "int64")
ops.gather(a, b, 5) : n(4, 3); v([0], "int64")
ops.gather(a, 1, 0) : n(4, 3)
ops.gather(a, b, 0) : n(4, 3); v(2, "int64")
a.gather(b, 1) : n(4, 3); v([0, 2], "int64")
a.gather(1, b) : n(2, 3); v([[0, 2], [1, 1]], "int64")
a.gather(dim=1, index=b) : n(2, 3); v([[0, 2], [1, 1]], "int64")
a.gather(input_indices=b, axis=0) : n(4, 3); v([0, 2], "int64")
P.Gather()(a, b, 0) : n(4, 3); v([1, 0], "int32")
P.Gather(batch_dims=1)(a, b, 1) : n(2, 3); v([[0, 2], [1, 1]], "int32")
P.GatherV2()(a, b, 0) : n(4, 3); v([1, 0], "int32")
P.GatherD()(a, 1, b) : n(2, 3); v([[0, 2], [1, 1]], "int64")
P.GatherNd()(a, b) : n(2, 3); v([[0, 2], [1, 1]], "int32")
P.SparseGatherV2()(a, b, 0) : n(4, 3); v([1, 0], "int32") !
ops.gather_d(a, 1, b) : n(2, 3); v([[0, 2], [1, -1]], "int64")
ops.gather_elements(a, 0, b) : n(2, 3); v([[0, 1, 0]], "int32")
ops.gather_elements(a, 1, b) : n(2, 3); v([[0, 9], [1, 1]], "int64") !
a.gather_elements(1, b) : n(2, 3); v([[0, 2], [1, 1]], "int64")
ops.gather_nd(a, b) : n(2, 3); v([[0, 2], [1, 1]], "int64")
ops.gather_nd(a, b) : n(2, 3); v([[1], [0]], "int64")
ops.gather_nd(a, b) : n(2, 3); v([1, 2], "int64")
a.gather_nd(b) : n(2, 3, 2); v([[[0, 2]], [[1, 1]]], "int64")
ops.index_select(a, 1, b) : n(2, 3); v([0, 2], "int64")
ops.index_select(a, axis=0, index=b) : n(2, 3); v([1, 1], "int32")
ops.index_select(a, 0, b) : n(2, 3); v([1, 7], "int32") !
a.index_select(1, b) : n(2, 3); v([0, 2], "int64")
a.index_select(dim=1, index=b) : n(2, 3); v([0, 2], "int64")
a.take(b) : n(2, 3); v([0, 5], "int64")
a.take(b, 1) : n(2, 3); v([0, 2], "int64")
a.take(b, axis=1, mode="wrap") : n(2, 3); v([0, 5], "int64")
a.choose([b, c]) : v([0, 1, 1], "int32"); n(3); n(3) !
P.EmbeddingLookup()(a, b, 0) : n(4, 3); v([0, 2], "int32") !
P.EmbeddingLookup()(a, b, 2) : n(4, 3); v([2, 3], "int32") !
a.masked_scatter(b, c) : n(2, 3); m(2, 3); n(6) !
ops.select_scatter(a, b, 0, 1) : n(2, 3); n(3)
ops.slice_scatter(a, b, 1, 0, 2) : n(2, 3); n(2, 2)
ops.diagonal_scatter(a, b) : n(3, 3); n(3)
a.select_scatter(b, 0, 1) : n(2, 3); n(3)
ops.scatter(a, 1, b, c) : n(2, 3); v([[0, 2], [1, 0]], "int64"); n(2, 2)
ops.scatter(a, axis=0, index=b, src=c) : n(3, 3); v([[0, 1, 2]], "int64"); n(1, 3)
ops.scatter(a, 1, b, 2.0) : n(2, 3); v([[0, 2], [1, 0]], "int64")
a.scatter(1, b, c) : n(2, 3); v([[0, 2], [1, 0]], "int64"); n(2, 2)
a.scatter(axis=1, index=b, src=c) : n(2, 3); v([[0, 2], [1, 0]], "int64"); n(2, 2)
a.scatter(dim=1, index=b, src=c) : n(2, 3); v([[0, 2], [1, 0]], "int64"); n(2, 2)
ops.tensor_scatter_elements(a, b, c, 1) : n(2, 3); v([[0, 2], [1, 0]], "int64"); n(2, 2)
ops.tensor_scatter_elements(a, b, c, axis=1, reduction="add") : n(2, 3); v([[0, 0], [1, 0]], "int32"); n(2, 2)
P.TensorScatterElements(1, "add")(a, b, c) : n(2, 3); v([[0, 0], [1, 0]], "int32"); n(2, 2)
P.TensorScatterUpdate()(a, b, c) : n(3, 2); v([[0], [2]], "int32"); n(2, 2)
P.TensorScatterAdd()(a, b, c) : n(3, 2); v([[0, 1], [0, 1]], "int32"); n(2)
P.TensorScatterSub()(a, b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2)
P.TensorScatterMax()(a, b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2)
P.TensorScatterMin()(a, b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2)
P.TensorScatterMul()(a, b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
P.TensorScatterDiv()(a, b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); u(2) !
ops.tensor_scatter_add(a, b, c) : n(3, 2); v([[0], [0]], "int64"); n(2, 2)
ops.tensor_scatter_sub(a, b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2)
ops.tensor_scatter_max(a, b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2)
ops.tensor_scatter_min(a, b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2)
ops.tensor_scatter_mul(a, b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2) !
ops.tensor_scatter_div(a, b, c) : n(3, 2); v([[0], [2]], "int64"); u(2, 2) !
ops.tensor_scatter_add(a, b, c) : n(3, 2); v([[0], [2]], "int64"); n(3, 2)
ops.scatter_nd(a, b, (4, 2)) : v([[0], [2], [0]], "int32"); n(3, 2)
P.ScatterNd()(a, b, (3, 3)) : v([[0, 1], [1, 1]], "int32"); n(2)
a.scatter_add(b, c) : n(3, 2); v([[0], [0]], "int64"); n(2, 2) !
a.scatter_sub(b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2) !
a.scatter_max(b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2) !
a.scatter_min(b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2) !
a.scatter_mul(b, c) : n(3, 2); v([[0], [2]], "int64"); n(2, 2) !
a.scatter_div(b, c) : n(3, 2); v([[0], [2]], "int64"); u(2, 2) !
ops.scatter_update(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
ops.scatter_add(ms.Parameter(a), b, c) : n(3, 2); v([0, 0], "int32"); n(2, 2) !
ops.scatter_max(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
ops.scatter_min(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
ops.scatter_mul(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
ops.scatter_div(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); u(2, 2) !
P.ScatterUpdate()(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
P.ScatterAdd()(ms.Parameter(a), b, c) : n(3, 2); v([0, 0], "int32"); n(2, 2) !
P.ScatterSub()(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
P.ScatterMax()(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
P.ScatterMul()(ms.Parameter(a), b, c) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
P.ScatterNdUpdate()(ms.Parameter(a), b, c) : n(3, 2); v([[0], [2]], "int32"); n(2, 2) !
P.ScatterNdAdd()(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
ops.scatter_nd_update(ms.Parameter(a), b, c) : n(3, 2); v([[0], [2]], "int32"); n(2, 2) !
ops.scatter_nd_add(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
ops.scatter_nd_sub(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
ops.scatter_nd_max(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
ops.scatter_nd_min(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
ops.scatter_nd_mul(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); n(2) !
ops.scatter_nd_div(ms.Parameter(a), b, c) : n(3, 2); v([[0, 1], [2, 1]], "int32"); u(2) !
ops.index_add(ms.Parameter(a), b, c, 0) : n(3, 2); v([0, 2], "int32"); n(2, 2) !
P.IndexAdd(axis=1)(ms.Parameter(a), b, c) : n(3, 2); v([0], "int32"); n(3, 1) !
a.index_add(0, b, c) : n(3, 2); v([0, 0], "int32"); n(2, 2)
a.index_add(0, b, c, alpha=2) : n(3, 2); v([0, 2], "int32"); n(2, 2)
a.index_add(b, c, 0) : n(3, 2); v([0, 2], "int32"); n(2, 2)
ops.index_fill(a, 0, b, 5.0) : n(3, 2); v([0, 2], "int32")
ops.index_fill(a, 1, b, c) : n(3, 2); v([0], "int32"); v(2.0) !
a.index_fill(0, b, 5.0) : n(3, 2); v([0, 2], "int32")
a.index_put([b], c) : n(3, 2); v([0, 2], "int64"); n(2, 2) !
a.inplace_update(b, [0]) : n(3, 2); n(1, 2) !
ops.inplace_update(a, b, [0, 2]) : n(3, 2); n(2, 2) !
ops.inplace_add(a, b, [0, 2]) : n(3, 2); n(2, 2) !
ops.inplace_sub(a, b, [0, 2]) : n(3, 2); n(2, 2) !
P.InplaceAdd((0, 2))(a, b) : n(3, 2); n(2, 2) !
P.InplaceUpdate((0, 2))(a, b) : n(3, 2); n(2, 2) !
ops.unsorted_segment_sum(a, b, 3) : n(4, 2); v([0, 2, 0, 1], "int32")
ops.unsorted_segment_sum(a, b, 2) : n(4, 2); v([0, -1, 0, 1], "int32")
ops.unsorted_segment_sum(a, b, 2) : n(2, 2); v([[0, 1], [1, 0]], "int32")
ops.unsorted_segment_max(a, b, 3) : n(4, 2); v([0, 2, 0, 2], "int32")
ops.unsorted_segment_min(a, b, 2) : n(4, 2); v([0, 1, 0, 1], "int32")
ops.unsorted_segment_prod(a, b, 2) : n(4, 2); v([0, 1, 0, 1], "int32")
P.UnsortedSegmentSum()(a, b, 3) : n(4, 2); v([0, 2, 0, 1], "int32")
ops.population_count(a) : v([7, 8], "int32")
ops.matrix_diag(a, k=(-1, 0), num_rows=3, padding_value=9.0) : n(2, 3) !
ops.matrix_diag_part(a, b, c) : n(3, 4); v([-1, 1], "int32"); v(9.0) !
ops.matrix_diag_part(a, b, c, align="LEFT_LEFT") : n(3, 4); v([-1, 1], "int32"); v(9.0) !
ops.tuple_len((1, 2)) : n(1) !
ops.make_range(1, 5, 2) : n(1) !
ops.eps(a) : n(2) !
P.ScalarToTensor()(2) : n(1) !
ops.expand(a, b) : n(2, 3); v([2, 2, 3], "int64") !
P.UnravelIndex()(a, b) : v([5, 3], "int32"); v([2, 3], "int32") !
P.InvertPermutation()((2, 0, 1)) : n(1) !
P.IOU()(a, b) : v([[0, 0, 2, 2], [1, 1, 3, 3]]); v([[0, 0, 2, 2]]) !
ops.iou(a, b, "iof") : v([[0, 0, 2, 2], [1, 1, 3, 3]]); v([[0, 0, 2, 2]]) !
P.BoundingBoxEncode()(a, b) : v([[0, 0, 4, 6], [2, 1, 9, 5]]); v([[1, 0, 3, 6], [1, 1, 8, 4]]) !
P.BoundingBoxEncode(means=(0.1, 0.2, 0.3, 0.4), stds=(0.1, 0.1, 0.2, 0.2))(a, b) : v([[0, 0, 4, 6], [2, 1, 9, 5]]); v([[1, 0, 3, 6], [1, 1, 8, 4]]) !
P.BoundingBoxDecode(max_shape=(20, 30))(a, b) : v([[0, 0, 4, 6], [2, 1, 9, 5]]); v([[0.1, -0.2, 0.3, 9.0], [3, 0.1, -0.5, 0.2]]) !
P.BoundingBoxDecode(max_shape=(20, 30), means=(0.1, 0.2, 0.3, 0.4), stds=(0.1, 0.1, 0.2, 0.2), wh_ratio_clip=0.5)(a, b) : v([[0, 0, 4, 6], [2, 1, 9, 5]]); v([[0.1, -0.2, 0.3, 9.0], [3, 0.1, -0.5, 0.2]]) !
P.NMSWithMask(0.5)(a) : v([[0, 0, 10, 10, 0.5], [1, 1, 11, 11, 0.9], [20, 20, 30, 30, 0.8], [0, 0, 9, 9, 0.3]]) !
P.NMSWithMask(0.7)(a) : v([[0, 0, 10, 10, 0.5], [1, 1, 11, 11, 0.9], [20, 20, 30, 30, 0.8], [0, 0, 9, 9, 0.3]]) !
P.CheckValid()(a, b) : v([[0, 0, 2, 2], [1, 1, 9, 3]]); v([5, 5, 1]) !
"""

IN_PLACE = """
(a.add_(b), a) : n(3); n(3) !
(a.add_(b, alpha=2), a) : n(3); n(3) !
(a.add_(1), a) : i(3, 3) !
(a.sub_(b), a) : n(3); n(3) !
(a.mul_(b), a) : n(3); n(3) !
(a.mul_(2), a) : n(3) !
(a.div_(b), a) : n(3); u(3) !
(a.div_(b, rounding_mode="floor"), a) : n(3); u(3) !
(a.zero_(), a) : n(3) !
(a.fill_(3), a) : n(3) !
(a.fill_(2.5), a) : i(3, 3) !
(a.copy_(b), a) : n(3); n(3) !
(a.copy_(b), a) : n(2, 3); n(3) !
(a.copy_(b), a) : n(3); i(3, 3) !
(a.clamp_(0, 1), a) : n(3) !
(a.masked_fill_(b, 1.0), a) : n(3); m(3) !
(a.scatter_(0, b, c), a) : n(3); v([0, 2], "int64"); n(2) !
(a.scatter_(0, b, 1.0), a) : n(3); v([0, 2], "int64") !
(a.scatter_add_(0, b, c), a) : n(3); v([0, 0], "int64"); n(2) !
(a.index_add_(0, b, c), a) : n(3); v([0, 0], "int64"); n(2) !
(a.index_fill_(0, b, 1.0), a) : n(3); v([0, 2], "int64") !
(a.index_copy_(0, b, c), a) : n(3); v([0, 2], "int64"); n(2) !
(a.index_put_([b], c), a) : n(3); v([0, 2], "int64"); n(2) !
(a.exp_(), a) : n(3) !
(a.log_(), a) : u(3) !
(a.sigmoid_(), a) : n(3) !
(a.tanh_(), a) : n(3) !
(a.floor_(), a) : n(3) !
(a.sign_(), a) : n(3) !
(a.erfinv_(), a) : p(3) !
(a.floor_divide_(b), a) : n(3); u(3) !
(a.remainder_(b), a) : n(3); u(3) !
(a.fill_diagonal_(1.0), a) : n(3, 3) !
(a.put_(b, c), a) : n(2, 3); v([0, 5], "int64"); n(2) !
(a.masked_scatter_(b, c), a) : n(3); m(3); n(3) !
(a.addmm_(b, c), a) : n(2, 2); n(2, 3); n(3, 2) !
(a.itemset(0, 5.0), a) : n(3) !
(a.assign_value(b), a) : n(3); n(3) !
(a.set_dtype(ms.float16), a) : n(3) !
(a.resize(2, 2), a) : n(4) !
(a.normal_().shape, a.dtype) : n(3) !
(a.uniform_().shape, a.dtype) : n(3) !
(a.bernoulli_(0.5).shape, a.dtype) : n(3) !
(a.random_().shape, a.dtype) : n(3) !
(a.exponential_().shape, a.dtype) : n(3) !
(a.requires_grad_(), a)[1] : n(3) !
"""
CASES = cases(SHAPES, CREATION, GATHERS, IN_PLACE)
