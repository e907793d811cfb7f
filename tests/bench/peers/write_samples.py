"""The samples of one model as an .npz archive, as Keras' own sets are laid out: what a project can read."""
import argparse

import models


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--model", choices=list(models.MODELS), default="tutorial")
    p.add_argument("--copies", type=int, default=1, help="of the samples, behind one another: an epoch long enough to be timed")
    p.add_argument("--out", required=True)
    args = p.parse_args()
    import numpy as np
    x, y = models.samples(args.model)
    np.savez(args.out, x_train=np.concatenate([x] * args.copies), y_train=np.concatenate([y] * args.copies))


if __name__ == "__main__":
    main()
