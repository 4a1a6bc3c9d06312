"""`Model`: the loop over epochs and steps."""

import copy

from sporax._core.tensor import Tensor
from sporax.amp import build_train_network
from sporax.nn.cell import Cell
from sporax.nn.wrap import TrainOneStepCell, WithEvalCell, WithLossCell
from sporax.train.callback.base import Callbacks
from sporax.train.context import CallbackParams, RunContext
from sporax.train.metrics import Loss, metrics_of


class Model:
    """A network with what it is trained by and measured with.

    Args:
        network: a Cell.
        loss_fn: a function of the network's output and the label. Default: None: the network gives the loss itself.
        optimizer: an optimizer. Default: None: the network is a whole training step.
        metrics: a dict from names to metrics, or a set of names. Default: None.
        eval_network: a Cell that gives what metrics need. Default: None: the loss, the network's output and the label.
        eval_indexes: with `eval_network`: which of its outputs are the loss, the prediction and the label. Default: None.
        amp_level: "O0", "O1", "O2", "O3" or "auto", see `amp.build_train_network`. Default: "O0".
        boost_level: "O0". Default: "O0".
        **kwargs: `keep_batchnorm_fp32`, `loss_scale_manager`.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: a value or keyword is unknown.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> data = [(Tensor([[1.0]]), Tensor([[3.0]]))]
        >>> model.train(3, data)
        >>> round(float(model.eval(data)["mae"]), 3)
        0.432
    """

    def __init__(
        self, network, loss_fn=None, optimizer=None, metrics=None, eval_network=None, eval_indexes=None, amp_level="O0", boost_level="O0", **kwargs
    ):
        if not isinstance(network, Cell):
            raise TypeError(f"For 'Model', 'network' should be a Cell, but got {network!r} of type {type(network).__name__}.")
        if boost_level != "O0":
            raise ValueError(
                f"For 'Model', 'boost_level' should be 'O0', but got {boost_level!r}: boost is not there."
            )
        for key in kwargs:
            if key not in ("keep_batchnorm_fp32", "loss_scale_manager"):
                raise ValueError(f"For 'Model', there is no keyword argument {key!r}: it takes keep_batchnorm_fp32 and loss_scale_manager.")
        if eval_network is not None and metrics and (eval_indexes is None or len(eval_indexes) != 3):
            raise ValueError(
                f"For 'Model' with 'eval_network', 'eval_indexes' should name the outputs (loss, prediction, label), but got {eval_indexes!r}."
            )
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._metrics, self._eval_indexes, self._manager = metrics_of(metrics), eval_indexes, kwargs.get("loss_scale_manager")
        self._train_network = self._build_train_network(amp_level, kwargs)
        self._eval_network = (
            eval_network if eval_network is not None else WithEvalCell(network, loss_fn) if loss_fn is not None and self._metrics else None
        )
        self._given_eval = eval_network is not None

    def _build_train_network(self, amp_level, kwargs):
        if self._optimizer is None:
            return self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        if amp_level == "O0" and not kwargs:
            network = self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
            return TrainOneStepCell(network, self._optimizer)
        return build_train_network(self._network, self._optimizer, self._loss_fn, amp_level, **kwargs)

    @property
    def train_network(self):
        """The Cell of one training step."""
        return self._train_network

    @property
    def eval_network(self):
        """The Cell of one evaluation step."""
        return self._eval_network

    @property
    def predict_network(self):
        """The network."""
        return self._network

    # Training ------------------------------------------------------------------------------------------------------------

    def train(self, epoch, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        """Train for some epochs.

        Args:
            epoch: number of the last epoch; with `sink_size`, an epoch has that many steps.
            train_dataset: a data set, or another iterable of batches (tuples of Tensors) with a length.
            callbacks: a Callback or a list of them. Default: None.
            dataset_sink_mode: whether callbacks see steps only at the end of each `sink_size` steps, which need not wait for each other. Default:
                False.
            sink_size: steps of an epoch in sink mode; -1 for the whole data set. Default: -1.
            initial_epoch: number of epochs that have been trained already. Default: 0.

        Raises:
            TypeError: an argument is of another kind.
            ValueError: a number is out of range, or the data set is empty.
        """
        self._loop(epoch, train_dataset, None, 1, callbacks, dataset_sink_mode, sink_size, initial_epoch)

    def fit(
        self, epoch, train_dataset, valid_dataset=None, valid_frequency=1, callbacks=None, dataset_sink_mode=False, valid_dataset_sink_mode=False,
        sink_size=-1, initial_epoch=0,
    ):  # fmt: skip
        """Train, and evaluate between epochs.

        Args:
            epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch: as in `train`.
            valid_dataset: what to evaluate on. Default: None.
            valid_frequency: every how many epochs, or a list of numbers of epochs. Default: 1.
            valid_dataset_sink_mode: as `dataset_sink_mode`; evaluations have no steps to wait for. Default: False.

        Raises:
            TypeError, ValueError: as in `train`.
        """
        if valid_dataset is not None and not self._metrics:
            raise ValueError("For 'fit' with 'valid_dataset', the Model needs 'metrics'.")
        if not (type(valid_frequency) is int and valid_frequency > 0) and not isinstance(valid_frequency, list | tuple | set):
            raise ValueError(f"For 'fit', 'valid_frequency' should be a positive int or a list of epochs, but got {valid_frequency!r}.")
        self._loop(epoch, train_dataset, valid_dataset, valid_frequency, callbacks, dataset_sink_mode, sink_size, initial_epoch)

    def _loop(self, epoch, dataset, valid, frequency, callbacks, sink, sink_size, initial_epoch):
        if type(epoch) is not int or epoch < 1 or type(initial_epoch) is not int or not 0 <= initial_epoch < epoch:
            raise ValueError(f"'epoch' should be a positive int and 'initial_epoch' less than it, but got {epoch!r} and {initial_epoch!r}.")
        if not isinstance(sink, bool):
            raise TypeError(f"'dataset_sink_mode' should be a bool, but got {sink!r} of type {type(sink).__name__}.")
        if type(sink_size) is not int or sink_size < -1 or sink_size == 0:
            raise ValueError(f"For 'Model.train', the 'sink_size' must be -1 or positive, but got {sink_size!r}.")
        size = _size(dataset)
        steps = sink_size if sink and sink_size > 0 else size
        callbacks = Callbacks(callbacks)
        first = initial_epoch * steps
        state = CallbackParams(
            mode="train", train_network=self._train_network, epoch_num=epoch - initial_epoch, batch_num=steps, loss_fn=self._loss_fn,
            optimizer=self._optimizer, train_dataset=dataset, list_callback=callbacks.callbacks, train_dataset_element=None, network=self._network,
            cur_step_num=first, initial_step=first, cur_epoch_num=initial_epoch + 1, dataset_sink_mode=sink, net_outputs=None, device_number=1,
            parallel_mode="stand_alone", loss_scale_mananger=self._manager, last_save_ckpt_step=None, latest_ckpt_file=None,
        )  # fmt: skip
        if valid is not None:
            state.valid_dataset = valid
        context = RunContext(state)
        self._train_network.set_train()
        batches = _endless(dataset)
        with callbacks:
            callbacks.at("train_begin", context)
            for number in range(initial_epoch + 1, epoch + 1):
                state.cur_epoch_num = number
                callbacks.at("train_epoch_begin", context)
                self._epoch(steps, batches, state, context, callbacks, sink)
                if valid is not None and (number % frequency == 0 if isinstance(frequency, int) else number in frequency):
                    self._eval_between(valid, state, callbacks)
                callbacks.at("train_epoch_end", context)
                state.pop("metrics", None)
                state.pop("eval_results", None)
                if context.get_stop_requested():
                    break
            callbacks.at("train_end", context)

    def _epoch(self, steps, batches, state, context, callbacks, sink):
        if sink:
            callbacks.at("train_step_begin", context)
        for _ in range(steps):
            state.train_dataset_element = batch = next(batches)
            state.cur_step_num += 1
            if not sink:
                callbacks.at("train_step_begin", context)
            state.net_outputs = self._train_network(*batch)
            if not sink:
                callbacks.at("train_step_end", context)
                if context.get_stop_requested():
                    return
        if sink:
            callbacks.at("train_step_end", context)

    def _eval_between(self, valid, state, callbacks):
        inner = CallbackParams(state)
        metrics = self._evaluate(valid, inner, callbacks, with_loss=True)
        self._train_network.set_train()
        state.metrics = metrics
        state.eval_results = inner.eval_results

    # Evaluation and prediction -------------------------------------------------------------------------------------------

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        """The metrics on a data set, a dict.

        Args:
            valid_dataset: a data set, or another iterable of batches.
            callbacks: a Callback or a list of them. Default: None.
            dataset_sink_mode: evaluations have no steps to wait for. Default: False.

        Raises:
            ValueError: the Model has no metrics, or the data set is empty.
        """
        if not self._metrics:
            raise ValueError("For 'Model.eval', the Model needs 'metrics': Model(net, loss_fn, metrics={'accuracy'}).")
        callbacks = Callbacks(callbacks)
        state = CallbackParams(network=self._network, loss_fn=self._loss_fn, list_callback=callbacks.callbacks, dataset_sink_mode=dataset_sink_mode)
        with callbacks:
            return self._evaluate(valid_dataset, state, callbacks)

    def _evaluate(self, dataset, state, callbacks, with_loss=False):
        network = self._eval_network
        if network is None:
            raise ValueError("Evaluation needs a 'loss_fn' or an 'eval_network'.")
        state.update(mode="eval", eval_network=network, valid_dataset=dataset, batch_num=_size(dataset), cur_step_num=0, net_outputs=None)
        context, loss = RunContext(state), Loss()
        for metric in self._metrics.values():
            metric.clear()
        network.set_train(False)
        callbacks.at("eval_begin", context)
        callbacks.at("eval_epoch_begin", context)
        for batch in _batches(dataset):
            state.cur_step_num += 1
            state.eval_dataset_element = batch
            callbacks.at("eval_step_begin", context)
            state.net_outputs = outputs = network(*batch)
            callbacks.at("eval_step_end", context)
            self._measure(outputs, loss if with_loss else None)
            if context.get_stop_requested():
                break
        metrics = {name: metric.eval() for name, metric in self._metrics.items()}
        state.metrics = metrics
        if with_loss:
            state.eval_results = {**copy.deepcopy(metrics), "eval_loss": loss.eval()}
        callbacks.at("eval_epoch_end", context)
        callbacks.at("eval_end", context)
        return metrics

    def _measure(self, outputs, loss):
        outputs = outputs if isinstance(outputs, tuple | list) else (outputs,)
        at_loss, at_prediction, at_label = self._eval_indexes if self._given_eval and self._eval_indexes else (0, 1, 2)
        if loss is not None and at_loss >= 0:
            loss.update(outputs[at_loss])
        for metric in self._metrics.values():
            if metric.indexes is not None:
                metric.update(*metric.chosen(outputs))
            elif isinstance(metric, Loss):
                metric.update(outputs[at_loss])
            else:
                metric.update(outputs[at_prediction], outputs[at_label])

    def predict(self, *predict_data, backend=None, config=None):
        """The network's output for inputs.

        Args:
            *predict_data: what the network takes.
            backend, config: engines of MindSpore Lite; must be None. Default: None.

        Raises:
            ValueError: `backend` or `config` is given.
        """
        if backend is not None or config is not None:
            raise ValueError("For 'Model.predict', 'backend' and 'config' name engines of MindSpore Lite: leave them out.")
        self._network.set_train(False)
        return self._network(*predict_data)


def _size(dataset):
    size = dataset.get_dataset_size() if hasattr(dataset, "get_dataset_size") else len(dataset) if hasattr(dataset, "__len__") else None
    if size is None:
        raise TypeError(f"A data set should be one of mindspore.dataset, or an iterable of batches with a length, but got {type(dataset).__name__}.")
    if not size:
        raise ValueError("There is no valid data in dataset, please check dataset file first.")
    return size


def _batches(dataset):
    """The batches of one epoch, tuples of Tensors."""
    batches = dataset.create_tuple_iterator(num_epochs=1) if hasattr(dataset, "create_tuple_iterator") else dataset
    for batch in batches:
        yield _batch(batch)


def _endless(dataset):
    if not hasattr(dataset, "create_tuple_iterator"):
        while True:
            yield from map(_batch, dataset)
    iterator = dataset.create_tuple_iterator(num_epochs=-1)
    while True:
        yield from map(_batch, iterator)


def _batch(batch):
    if isinstance(batch, dict):
        batch = tuple(batch.values())
    if isinstance(batch, Tensor):
        return (batch,)
    if not isinstance(batch, tuple | list):
        raise TypeError(f"A batch should be a tuple of Tensors, but got {type(batch).__name__}.")
    return tuple(batch)
