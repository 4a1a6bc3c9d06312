"""Networks: Cells, layers, losses, optimizers and schedules."""

from sporax.nn.cell import Cell, GraphCell
from sporax.nn.layer.activation import (
    CELU, ELU, GELU, GLU, FastGelu, Hardtanh, HShrink, HSigmoid, HSwish, LeakyReLU, LogSigmoid, LogSoftmax, Mish, PReLU, ReLU, ReLU6, RReLU, SeLU, Sigmoid,
    SiLU, Softmax, Softmax2d, Softmin, SoftShrink, Softsign, Tanh, Tanhshrink, Threshold, get_activation,
)  # fmt: skip
from sporax.nn.layer.basic import (
    BiDense, ClipByNorm, ConstantPad1d, ConstantPad2d, ConstantPad3d, Dense, Dropout, Dropout1d, Dropout2d, Dropout3d, Embedding, EmbeddingLookup, Flatten,
    Identity, Linear, Norm, OneHot, Pad, PixelShuffle, PixelUnshuffle, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, ReplicationPad1d,
    ReplicationPad2d, ReplicationPad3d, Roll, Tril, Triu, Unflatten, Unfold, Upsample, ZeroPad2d,
)  # fmt: skip
from sporax.nn.layer.container import CellDict, CellList, SequentialCell
from sporax.nn.layer.conv import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose, Conv3d, Conv3dTranspose
from sporax.nn.layer.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, LayerNorm
from sporax.nn.layer.pooling import (
    AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d, AvgPool1d, AvgPool2d, AvgPool3d,
    LPPool2d, MaxPool1d, MaxPool2d, MaxPool3d,
)  # fmt: skip
from sporax.nn.layer.rnn import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
from sporax.nn.layer.transformer import MultiheadAttention, Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder, TransformerEncoderLayer
from sporax.nn.loss.loss import (
    BCELoss, BCEWithLogitsLoss, CosineEmbeddingLoss, CrossEntropyLoss, CTCLoss, DiceLoss, FocalLoss, GaussianNLLLoss, HingeEmbeddingLoss, HuberLoss, KLDivLoss,
    L1Loss, LossBase, MAELoss, MarginRankingLoss, MSELoss, MultiClassDiceLoss, MultilabelMarginLoss, MultiLabelSoftMarginLoss, MultiMarginLoss, NLLLoss,
    PoissonNLLLoss, RMSELoss, SampledSoftmaxLoss, SmoothL1Loss, SoftMarginLoss, SoftmaxCrossEntropyWithLogits, TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)  # fmt: skip
from sporax.nn.wrap import (
    ForwardValueAndGrad, GradAccumulationCell, MicroBatchInterleaved, ParameterUpdate, TrainOneStepCell, VirtualDatasetCellTriple, WithEvalCell, WithGradCell,
    WithLossCell,
)  # fmt: skip
from sporax.nn.optim import (
    ASGD, FTRL, LARS, SGD, Adadelta, AdaFactor, Adagrad, Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam, Momentum, Optimizer, ProximalAdagrad,
    RMSProp, Rprop,
)  # fmt: skip
from sporax.nn.schedule.dynamic_lr import (
    cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr, piecewise_constant_lr, polynomial_decay_lr, warmup_lr,
)  # fmt: skip
from sporax.nn.schedule.learning_rate_schedule import (
    CosineDecayLR, ExponentialDecayLR, InverseDecayLR, LearningRateSchedule, NaturalExpDecayLR, PolynomialDecayLR, WarmUpLR,
)  # fmt: skip
from sporax._names import module_getattr

__getattr__ = module_getattr(__name__)
