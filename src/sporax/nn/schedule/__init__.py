"""Learning rates that change with the step: lists (`dynamic_lr`) and Cells (`learning_rate_schedule`)."""

from sporax.nn.schedule import dynamic_lr, learning_rate_schedule
