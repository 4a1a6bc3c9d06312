"""How a pipeline runs.

A pipeline has two halves. The *plan* says which rows come, in which order: a stream of tokens, small tuples that name a row without computing it.
The *work* computes a row from its token, anywhere: in a thread, in another process, now or later.

| file | what it knows |
|---|---|
| `rows` | values of user programs as columns, rows as batches |
| `streams` | plans: token streams that can skip |
| `run` | one use of a pipeline: its seed, and what each token stands for |
| `executor` | evaluating the tokens of a plan ahead of the consumer, in order |
| `processes` | workers that are processes: tokens out, rows back through shared memory |
| `errors` | what a failing row says |

Shuffling, repeating, skipping and batching happen on tokens. So they cost about a microsecond per row, nothing is loaded that is skipped, and the position of a
pipeline is two numbers: the epoch and how many rows of it were taken. What is random about a row depends on the seed and on the row's own numbers alone.
"""
