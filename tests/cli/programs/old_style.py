# ruff: noqa: UP008  (this is how programs were written)
"""A training program as it was written for MindSpore 1.x: old module paths, old operators, a training cell of its own.

Genuine MindSpore 2.10 still runs it; what it prints there is in `old_style.txt`.

    python old_style.py graph|pynative
"""

import sys

import mindspore.common.dtype as mstype
import mindspore.nn as nn
import numpy as np
from mindspore import context
from mindspore._checkparam import check_positive_int
from mindspore.common.api import _pynative_executor
from mindspore.common.initializer import Constant, initializer
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.tensor import Tensor
from mindspore.nn.layer.basic import Dense, Flatten
from mindspore.nn.loss.loss import _Loss
from mindspore.nn.optim.momentum import Momentum
from mindspore.nn.wrap.cell_wrapper import WithLossCell
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.ops.operations import nn_ops
from mindspore.ops.primitive import constexpr

context.set_context(mode=context.GRAPH_MODE if sys.argv[1] == "graph" else context.PYNATIVE_MODE, device_target="CPU")


def draw(*shape):
    return np.sin(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


@constexpr
def half(n):
    return n // 2


class Scale(nn.Cell):
    def __init__(self, n):
        super(Scale, self).__init__()
        self.gamma = Parameter(initializer(Constant(0.5), (check_positive_int(n, "n", "Scale"),), mstype.float32), name="gamma")
        self.mul, self.add = P.Mul(), P.TensorAdd()

    def construct(self, x):
        return self.add(self.mul(x, self.gamma), F.scalar_to_tensor(0.25, mstype.float32))


class Net(nn.Cell):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, 3, 3, pad_mode="valid", has_bias=True, weight_init=Tensor(draw(3, 1, 3, 3)), bias_init="zeros")
        self.relu, self.gelu, self.pool = P.ReLU(), P.Gelu(), nn_ops.MaxPool(kernel_size=2, strides=2)
        self.flatten = Flatten()
        self.dropout = nn.Dropout(keep_prob=1.0)
        self.fc1 = Dense(27, 8, weight_init=Tensor(draw(8, 27)), bias_init=Tensor(draw(8)))
        self.scale = Scale(8)
        self.fc2 = Dense(8, 4, weight_init=Tensor(draw(4, 8)), bias_init="zeros", activation=None)
        self.reshape, self.shape, self.cast = P.Reshape(), P.Shape(), P.Cast()

    def construct(self, x):
        x = self.pool(self.relu(self.conv(x)))
        x = self.reshape(x, (self.shape(x)[0], -1))
        x = self.dropout(self.gelu(self.fc1(x)))
        x = self.cast(self.scale(x), mstype.float32)
        return self.fc2(x) / half(4)


class Loss(_Loss):
    def __init__(self):
        super(Loss, self).__init__("mean")
        self.one_hot, self.on, self.off = P.OneHot(), Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32)
        self.log_softmax, self.sum, self.neg = P.LogSoftmax(axis=-1), P.ReduceSum(keep_dims=False), P.Neg()

    def construct(self, logits, label):
        picked = self.sum(self.one_hot(label, F.shape(logits)[1], self.on, self.off) * self.log_softmax(logits), -1)
        return self.get_loss(self.neg(picked))


class TrainOneStep(nn.Cell):
    def __init__(self, network, optimizer):
        super(TrainOneStep, self).__init__(auto_prefix=False)
        self.network, self.optimizer = network, optimizer
        self.network.set_grad()
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.hyper_map = C.HyperMap()

    def construct(self, data, label):
        loss = self.network(data, label)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), 1.0)
        grads = self.grad(self.network, self.weights)(data, label, sens)
        grads = C.clip_by_global_norm(grads, 1.0)
        return F.depend(loss, self.optimizer(grads))


def main():
    net = Net()
    optimizer = Momentum(filter(lambda p: p.requires_grad, net.get_parameters()), 0.1, 0.9, weight_decay=1e-3)
    step = TrainOneStep(WithLossCell(net, Loss()), optimizer)
    step.set_train()
    data, label = Tensor(draw(6, 1, 8, 8) + 0.1), Tensor(np.arange(6) % 4, mstype.int32)
    for i in range(6):
        print(f"step {i}: {float(step(data, label).asnumpy()):.5f}")
    _pynative_executor.sync()
    for p in net.get_parameters():
        print(f"{p.name} {p.shape} {float(np.abs(p.asnumpy()).mean()):.5f}")


if __name__ == "__main__":
    main()
