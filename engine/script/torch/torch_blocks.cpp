#include "engine/script/torch/torch_blocks.h"

namespace engine::script::torch {
namespace {

constexpr Block kBlocks[] = {
    {"Normalization", R"py(class Normalization(nn.Module):
    """Keras': a mean and a variance for the places of some axes, which adapt() takes from samples where they are not given."""

    def __init__(self, shape, sizes, mean=0.0, variance=1.0, invert=False):
        super().__init__()
        self.sizes, self.invert = sizes, invert  # 1 for the axes whose places share both
        self.register_buffer('mean', torch.as_tensor(mean, dtype=torch.float32).expand(shape).clone())
        self.register_buffer('variance', torch.as_tensor(variance, dtype=torch.float32).expand(shape).clone())
        self.register_buffer('count', torch.zeros(()))  # Keras' files have it

    def forward(self, x):
        mean, deviation = self.mean.reshape(self.sizes), self.variance.reshape(self.sizes).sqrt().clamp(min=1e-7)
        return x * deviation + mean if self.invert else (x - mean) / deviation

    @torch.no_grad()
    def adapt(self, samples):
        """Takes both from all samples, in one pass: by distances from the first one, which lie close together."""
        axes = [axis for axis, size in enumerate(self.sizes) if size == 1]
        origin, total, squares, count = None, 0.0, 0.0, 0
        for begin in range(0, len(samples), 256):
            x = samples[np.arange(begin, min(begin + 256, len(samples)))][0].double()
            origin = x[:1].mean(axes, keepdim=True) if origin is None else origin
            distance = x - origin
            total, squares = total + distance.sum(axes, keepdim=True), squares + distance.square().sum(axes, keepdim=True)
            count += x.numel() // origin.numel()
        mean = total / count
        self.mean.copy_((origin + mean).reshape(self.mean.shape))
        self.variance.copy_((squares / count - mean.square()).clamp(min=0).reshape(self.variance.shape))


)py"},
    {"auto_contrast", R"py(def auto_contrast(x, low, high, axes):
    """Each channel of an image from the range's low end to its high one; a channel of one value stays."""
    least, most = x.amin(axes, keepdim=True), x.amax(axes, keepdim=True)
    differs = most > least
    part = (x - least) / torch.where(differs, most - least, 1.0)
    return torch.where(differs, part * (high - low) + low, x)


)py"},
    {"equalize_tiles", R"py(def equalize_tiles(x, low, high, limit, grid, channels_first):
    """Spreads the values of each tile of an image over the range, by a histogram whose bars are held; no gradient goes that way."""
    images = (x if channels_first else x.permute(0, 3, 1, 2)).detach().float()
    (count, channels, height, width), (rows, columns) = images.shape, grid
    tile_h, tile_w = -(-height // rows), -(-width // columns)
    if (low, high) != (0, 255):
        images = (images - low) / (high - low) * 255
    level = images.clamp(0, 255).long()

    def mirrored(cells, size):
        places = torch.arange(cells, device=x.device)
        return torch.minimum(places, 2 * size - 1 - places)

    tiles = level[:, :, mirrored(tile_h * rows, height)][:, :, :, mirrored(tile_w * columns, width)]
    tiles = tiles.reshape(count, channels, rows, tile_h, columns, tile_w).transpose(3, 4).reshape(count, channels, rows * columns, -1)
    counts = torch.zeros(count, channels, rows * columns, 256, device=x.device)
    counts = counts.scatter_add(3, tiles, torch.ones_like(tiles, dtype=counts.dtype))
    if limit > 0:
        held = counts.clamp(max=limit * (tile_h * tile_w) / 256)
        counts = held + (counts - held).sum(-1, keepdim=True) / 256
    sums = counts.cumsum(-1)
    rest = tile_h * tile_w - sums[..., :1]
    table = ((sums - sums[..., :1]) * 255 / torch.where(rest == 0, 1.0, rest)).clamp(0, 255).flatten(2)

    def neighbours(size, tile, last):
        place = (torch.arange(size, device=x.device).float() - tile / 2) / tile
        return place.floor().long().clamp(0, last), (place.floor().long() + 1).clamp(0, last), place - place.floor()

    (above, below, down), (left, right, aside) = neighbours(height, tile_h, rows - 1), neighbours(width, tile_w, columns - 1)

    def look_up(row, column):
        places = (row[:, None] * columns + column) * 256 + level
        return table.gather(2, places.flatten(2)).reshape(level.shape)

    upper = look_up(above, left) * (1 - aside) + look_up(above, right) * aside
    lower = look_up(below, left) * (1 - aside) + look_up(below, right) * aside
    y = upper * (1 - down[:, None]) + lower * down[:, None]
    if (low, high) != (0, 255):
        y = y / 255 * (high - low) + low
    return (y if channels_first else y.permute(0, 2, 3, 1)).to(x.dtype) + 0 * x  # whose gradient is zero


)py"},
    {"look_up", R"py(def look_up(x, values, places, otherwise, others):
    """The places of whole numbers; what has none of its own has one by what is left of it."""
    x = x.trunc()
    same = x.unsqueeze(-1) == torch.tensor(values, dtype=torch.float32, device=x.device)
    there = (same * torch.tensor(places, dtype=torch.float32, device=x.device)).sum(-1)
    return torch.where(same.any(-1), there, otherwise + x.remainder(others))


)py"},
    {"encode", R"py(def encode(x, depth, mode):
    """Ones in the places of whole numbers; those out of range have none."""
    rows = (x.trunc().unsqueeze(-1) == torch.arange(depth, device=x.device)).float()
    if mode == 'one_hot':
        return rows.squeeze(-2) if x.dim() > 1 and x.shape[-1] == 1 else rows
    return rows.sum(1) if mode == 'count' else rows.amax(1)


)py"},
    {"truncated_normal", R"py(def truncated_normal(shape, deviation):
    """A normal distribution without what lies beyond two deviations."""
    return nn.init.trunc_normal_(torch.empty(shape), std=deviation, a=-2 * deviation, b=2 * deviation)


)py"},
    {"variance_scaling", R"py(def variance_scaling(shape, scale, mode, distribution):
    """Keras' VarianceScaling: Glorot, He and Lecun are settings of it."""
    field = math.prod(shape[:-2])
    fan_in, fan_out = (shape[-2] * field, shape[-1] * field) if len(shape) > 1 else (shape[0], shape[0])
    scale /= max(1.0, {'fan_in': fan_in, 'fan_out': fan_out, 'fan_avg': (fan_in + fan_out) / 2}[mode])
    if distribution == 'uniform':
        limit = math.sqrt(3 * scale)
        return torch.empty(shape).uniform_(-limit, limit)
    if distribution == 'untruncated_normal':
        return torch.randn(shape) * math.sqrt(scale)
    return truncated_normal(shape, math.sqrt(scale) / 0.87962566103423978)


)py"},
    {"orthogonal", R"py(def orthogonal(shape, gain):
    return nn.init.orthogonal_(torch.empty(math.prod(shape[:-1]), shape[-1]), gain).reshape(shape)


)py"},
    {"orthogonal_penalty", R"py(def orthogonal_penalty(w):
    """The mean product of two rows of length 1."""
    unit = F.normalize(w, dim=1, eps=1e-7)
    products = (unit @ unit.t()).abs()
    return (products.sum() - products.diagonal().sum()) / (len(w) * (len(w) - 1))


)py"},
    {"min_max_norm", R"py(def min_max_norm(w, least, most, rate, axes):
    """Keras' MaxNorm and MinMaxNorm, over the axes of a weight in Keras' order."""
    norm = w.square().sum(axes, keepdim=True).sqrt()
    wanted = rate * norm.clamp(least, most) + (1 - rate) * norm
    return w * wanted / (1e-7 + norm)


)py"},
    {"sparsemax", R"py(def sparsemax(x, dim):
    ordered = x.sort(dim, descending=True).values.transpose(dim, -1)
    k = torch.arange(1, x.shape[dim] + 1, device=x.device)
    sums = ordered.cumsum(-1)
    count = (1 + k * ordered > sums).sum(-1, keepdim=True)
    edge = (sums.gather(-1, count - 1) - 1) / count
    return F.relu(x - edge.transpose(dim, -1))


)py"},
    {"celu", R"py(def celu(x):
    """As in Keras, where both terms count at 0: its derivative there is 2 (PyTorch's is 1)."""
    return x.clamp(min=0) + torch.expm1(x.clamp(max=0))


)py"},
    {"hard_silu", R"py(def hard_silu(x):
    """As in Keras, whose derivative at -3 and 3 is that of the lines beyond."""
    return x * F.hardsigmoid(x)


)py"},
    {"selu", R"py(def selu(x):
    """As in Keras, whose derivative at 0 is that of the line above (PyTorch's is that of the curve below)."""
    return 1.0507009873554805 * torch.where(x >= 0, x, 1.6732632423543772 * torch.expm1(x.clamp(max=0)))


)py"},
    {"squareplus", R"py(def squareplus(x):
    return (x + torch.sqrt(x * x + 4)) / 2


)py"},
    {"sparse_plus", R"py(def sparse_plus(x):
    return torch.where(x <= -1, torch.zeros_like(x), torch.where(x < 1, (x + 1).square() / 4, x))


)py"},
    {"sparse_sigmoid", R"py(def sparse_sigmoid(x):
    return torch.where(x <= -1, torch.zeros_like(x), torch.where(x >= 1, torch.ones_like(x), (x + 1) / 2))


)py"},
    {"BatchNormalization", R"py(class BatchNormalization(nn.Module):
    """As in Keras: the moving variance takes the biased one of the batch (PyTorch's takes the unbiased one), and `momentum` is the share
    of it that stays (PyTorch's is the share that comes in)."""

    def __init__(self, channels, momentum, epsilon, scale=True, center=True, frozen=False):
        super().__init__()
        self.momentum, self.epsilon, self.frozen = momentum, epsilon, frozen
        self.weight = nn.Parameter(torch.ones(channels)) if scale else None
        self.bias = nn.Parameter(torch.zeros(channels)) if center else None
        self.register_buffer('moving_mean', torch.zeros(channels))
        self.register_buffer('moving_variance', torch.ones(channels))

    def forward(self, x, channels=1):
        x = x.transpose(1, channels)
        if self.training and not self.frozen:
            axes = [axis for axis in range(x.dim()) if axis != 1]
            variance, mean = torch.var_mean(x.detach(), axes, correction=0)
            self.moving_mean.lerp_(mean, 1 - self.momentum)
            self.moving_variance.lerp_(variance, 1 - self.momentum)
            x = F.batch_norm(x, None, None, self.weight, self.bias, training=True, eps=self.epsilon)
        else:
            x = F.batch_norm(x, self.moving_mean, self.moving_variance, self.weight, self.bias, eps=self.epsilon)
        return x.transpose(1, channels)


)py"},
    {"Recurrent", R"py(class Recurrent(nn.Module):
    """What Keras' recurrent layers share: kernel (features, gates * units), recurrent_kernel (units, gates * units), bias. Steps that a mask
    leaves out do not change the state."""

    def __init__(self, features, units, gates, bias_shape, return_sequences=False, go_backwards=False, zero_output_for_mask=False,
                 dropout=0.0, recurrent_dropout=0.0, use_bias=True):
        super().__init__()
        self.units, self.return_sequences, self.go_backwards = units, return_sequences, go_backwards
        self.zero_output_for_mask, self.dropout, self.recurrent_dropout = zero_output_for_mask, dropout, recurrent_dropout
        self.kernel = nn.Parameter(torch.zeros(features, gates * units))
        self.recurrent_kernel = nn.Parameter(torch.zeros(units, gates * units))
        self.bias = nn.Parameter(torch.zeros(bias_shape)) if use_bias else None

    def forward(self, x, mask=None):
        if self.dropout:  # the same features at all times
            x = x * F.dropout(torch.ones_like(x[:, :1]), self.dropout, self.training)
        steps = torch.matmul(x, self.kernel) + self.input_bias()
        state = self.first_state(len(x), x)
        dropped = None
        if self.recurrent_dropout:
            dropped = F.dropout(torch.ones_like(state[0]), self.recurrent_dropout, self.training)
        outputs = []
        output = torch.zeros_like(state[0])
        times = range(x.shape[1])
        for t in reversed(times) if self.go_backwards else times:
            after = self.step(steps[:, t], state, dropped)
            if mask is None:
                state, output = after, after[0]
            else:
                counts = mask[:, t, None]
                state = tuple(torch.where(counts, new, old) for new, old in zip(after, state))
                output = torch.where(counts, after[0], torch.zeros_like(output) if self.zero_output_for_mask else output)
            outputs.append(output)
        return torch.stack(outputs, 1) if self.return_sequences else output

    def input_bias(self):
        return 0.0 if self.bias is None else self.bias

    def first_state(self, batch, like):
        return (like.new_zeros(batch, self.units),)


)py"},
    {"SimpleRNN", R"py(class SimpleRNN(Recurrent):
    def __init__(self, features, units, activation=torch.tanh, **more):
        super().__init__(features, units, 1, (units,), **more)
        self.activation = activation

    def step(self, x, state, dropped):
        h = state[0] if dropped is None else state[0] * dropped
        return (self.activation(x + h @ self.recurrent_kernel),)


)py"},
    {"ConvLSTM", R"py(class ConvLSTM(nn.Module):
    """Keras' ConvLSTM over (samples, times, places, channels): an LSTM whose products are convolutions, gates in the order i, f, c, o."""

    def __init__(self, channels, filters, size, strides=1, dilation=1, pads=None, activation=torch.tanh, recurrent_activation=torch.sigmoid,
                 return_sequences=False, go_backwards=False, use_bias=True, dropout=0.0, recurrent_dropout=0.0):
        super().__init__()
        self.filters, self.strides, self.dilation, self.pads = filters, strides, dilation, pads
        self.activation, self.recurrent_activation = activation, recurrent_activation
        self.return_sequences, self.go_backwards = return_sequences, go_backwards
        self.dropout, self.recurrent_dropout = dropout, recurrent_dropout
        self.convolve = [F.conv1d, F.conv2d, F.conv3d][len(size) - 1]
        self.same = [side for extent in reversed(size) for side in ((extent - 1) // 2, extent // 2)]  # the odd cell behind
        self.kernel = nn.Parameter(torch.zeros(4 * filters, channels, *size))
        self.recurrent_kernel = nn.Parameter(torch.zeros(4 * filters, filters, *size))
        self.bias = nn.Parameter(torch.zeros(4 * filters)) if use_bias else None

    def forward(self, x):
        x = x.movedim(-1, 2)  # channels first, as PyTorch has them
        if self.dropout:  # the same values at all times
            x = x * F.dropout(torch.ones_like(x[:, :1]), self.dropout, self.training)
        every = x.flatten(0, 1)
        every = every if self.pads is None else F.pad(every, self.pads)
        steps = self.convolve(every, self.kernel, self.bias, self.strides, 0, self.dilation).unflatten(0, x.shape[:2])
        h = c = steps.new_zeros(len(x), self.filters, *steps.shape[3:])
        dropped = F.dropout(torch.ones_like(h), self.recurrent_dropout, self.training) if self.recurrent_dropout else 1.0
        outputs = []
        for t in reversed(range(x.shape[1])) if self.go_backwards else range(x.shape[1]):
            i, f, g, o = (steps[:, t] + self.convolve(F.pad(h * dropped, self.same), self.recurrent_kernel)).chunk(4, 1)
            c = self.recurrent_activation(f) * c + self.recurrent_activation(i) * self.activation(g)
            h = self.recurrent_activation(o) * self.activation(c)
            outputs.append(h)
        return torch.stack(outputs, 1).movedim(2, -1) if self.return_sequences else h.movedim(1, -1)


)py"},
    {"SelfAttention", R"py(class SelfAttention(nn.Module):
    """Keras' MultiHeadAttention of a sequence to itself; kernels have an axis for the heads, as there."""

    def __init__(self, features, heads, size, value_size, use_bias=True, dropout=0.0, causal=False):
        super().__init__()
        self.dropout, self.causal = dropout, causal
        for role, units in [("query", size), ("key", size), ("value", value_size)]:
            setattr(self, f"{role}_kernel", nn.Parameter(torch.zeros(features, heads, units)))
            setattr(self, f"{role}_bias", nn.Parameter(torch.zeros(heads, units)) if use_bias else None)
        self.output_kernel = nn.Parameter(torch.zeros(heads, value_size, features))
        self.output_bias = nn.Parameter(torch.zeros(features)) if use_bias else None

    def heads_of(self, x, kernel, bias):
        y = torch.einsum("ntc,chd->nthd", x, kernel)
        return (y if bias is None else y + bias).transpose(1, 2)

    def forward(self, x, mask=None):
        queries = self.heads_of(x, self.query_kernel, self.query_bias)
        keys = self.heads_of(x, self.key_kernel, self.key_bias)
        values = self.heads_of(x, self.value_kernel, self.value_bias)
        scores = queries @ keys.transpose(-1, -2) / queries.shape[-1] ** 0.5
        seen = None if mask is None else mask[:, None, :, None] & mask[:, None, None, :]
        if self.causal:
            lower = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril()
            seen = lower if seen is None else seen & lower
        if seen is not None:
            scores = scores.masked_fill(~seen, torch.finfo(scores.dtype).min)
        weights = F.dropout(scores.softmax(-1), self.dropout, self.training)
        y = torch.einsum("nhtd,hdc->ntc", weights @ values, self.output_kernel)
        return y if self.output_bias is None else y + self.output_bias


)py"},
    {"LSTM", R"py(class LSTM(Recurrent):
    """Gates in Keras' order: input, forget, cell, output."""

    def __init__(self, features, units, activation=torch.tanh, recurrent_activation=torch.sigmoid, **more):
        super().__init__(features, units, 4, (4 * units,), **more)
        self.activation, self.recurrent_activation = activation, recurrent_activation

    def first_state(self, batch, like):
        return like.new_zeros(batch, self.units), like.new_zeros(batch, self.units)

    def step(self, x, state, dropped):
        h, c = state
        h = h if dropped is None else h * dropped
        i, f, g, o = (x + h @ self.recurrent_kernel).chunk(4, -1)
        c = self.recurrent_activation(f) * c + self.recurrent_activation(i) * self.activation(g)
        return self.recurrent_activation(o) * self.activation(c), c


)py"},
    {"GRU", R"py(class GRU(Recurrent):
    """Gates in Keras' order: update, reset, state."""

    def __init__(self, features, units, activation=torch.tanh, recurrent_activation=torch.sigmoid, reset_after=True, **more):
        super().__init__(features, units, 3, (2, 3 * units) if reset_after else (3 * units,), **more)
        self.activation, self.recurrent_activation, self.reset_after = activation, recurrent_activation, reset_after

    def input_bias(self):
        return 0.0 if self.bias is None else self.bias[0] if self.reset_after else self.bias

    def step(self, x, state, dropped):
        h = state[0]
        seen = h if dropped is None else h * dropped
        x_z, x_r, x_h = x.chunk(3, -1)
        if self.reset_after:
            inner = seen @ self.recurrent_kernel + (0.0 if self.bias is None else self.bias[1])
            z, r, n = inner.chunk(3, -1)
            z, r = self.recurrent_activation(x_z + z), self.recurrent_activation(x_r + r)
            n = self.activation(x_h + r * n)
        else:
            u_z, u_r, u_h = self.recurrent_kernel.chunk(3, -1)
            z, r = self.recurrent_activation(x_z + seen @ u_z), self.recurrent_activation(x_r + seen @ u_r)
            n = self.activation(x_h + (r * seen) @ u_h)
        return (z * h + (1 - z) * n,)


)py"},
};

}  // namespace

std::span<const Block> modelBlocks() {
    return kBlocks;
}

}  // namespace engine::script::torch
