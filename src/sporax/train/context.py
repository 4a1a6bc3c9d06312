"""What a training loop tells its callbacks, and what they tell it."""


class CallbackParams(dict):
    """The state of a loop: a dict whose keys are attributes too.

    A loop keeps in it: `mode` ("train" or "eval"), `epoch_num`, `batch_num`, `cur_epoch_num`, `cur_step_num` (counted over all epochs), `net_outputs`,
    `network`, `train_network`, `eval_network`, `loss_fn`, `optimizer`, `train_dataset`, `valid_dataset`, `train_dataset_element`,
    `eval_dataset_element`, `list_callback`, `dataset_sink_mode`, `metrics` and `eval_results`.
    """

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"The loop keeps no {name!r} here; it has {', '.join(self)}.") from None

    def __setattr__(self, name, value):
        self[name] = value


class RunContext:
    """The argument of every method of a callback.

    Args:
        original_args: the state of the loop, a dict.

    Raises:
        TypeError: it is no dict.

    Examples:
        >>> context = ms.train.RunContext({"cur_step_num": 3})
        >>> context.request_stop()
        >>> context.original_args()["cur_step_num"], context.get_stop_requested()
        (3, True)
    """

    def __init__(self, original_args):
        if not isinstance(original_args, dict):
            raise TypeError(f"The argument 'original_args' of RunContext should be a dict, but got {type(original_args).__name__}.")
        self._original_args, self._stop_requested = original_args, False

    def original_args(self):
        """The state of the loop."""
        return self._original_args

    def request_stop(self):
        """End the loop after the present step."""
        self._stop_requested = True

    def get_stop_requested(self):
        """Whether the loop shall end."""
        return self._stop_requested
