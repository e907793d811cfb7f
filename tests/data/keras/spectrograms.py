"""STFTSpectrogram and MelSpectrogram as Keras computes them, and what the kernels of the first begin with: python spectrograms.py (writes
beside itself; Keras takes the windows from SciPy)."""
import keras
import numpy as np
import tensorflow as tf

from golden import array, layer_case, write

random = np.random.default_rng(41)
SIGNALS, STEREO, PLAIN = (2, 11, 1), (2, 12, 2), (2, 40)
MEL = dict(fft_length=16, sequence_stride=7, num_mel_bins=4, sampling_rate=1000, min_freq=10.0)


def given(config):
    """As projects have it: none where Keras has None."""
    return {field: "none" if value is None else value for field, value in config.items()}


def stft_cases():
    for shape, config in (
            (SIGNALS, dict(frame_length=4)),
            (STEREO, dict(frame_length=5, frame_step=3, padding="same")),
            (STEREO, dict(mode="magnitude", frame_length=6, fft_length=7, expand_dims=True)),
            (SIGNALS, dict(mode="psd", frame_length=4, frame_step=1, fft_length=9, padding="same", expand_dims=True)),
            (STEREO, dict(mode="real", frame_length=3, fft_length=4)),
            (SIGNALS, dict(mode="imag", frame_length=4, padding="same")),
            (STEREO, dict(mode="angle", frame_length=4)),
            (STEREO, dict(mode="stft", frame_length=4)),
            (STEREO, dict(mode="stft", frame_length=2, padding="same", expand_dims=True))):
        name = ", ".join(f"{field}={value}" for field, value in config.items())
        yield layer_case(random, f"STFTSpectrogram({name}) of {shape[2]}", "STFTSpectrogram", shape, **config)


def mel_cases():
    for config in (dict(), dict(window="hamming", sequence_length=11, mag_exp=1.0), dict(window=None, sequence_length=9, top_db=6.0),
                   dict(power_to_db=False, mag_exp=1.5, fft_length=15, max_freq=400.0), dict(power_to_db=False, fft_length=12),
                   dict(ref_power=-0.5, min_power=0.6, fft_length=8, sequence_stride=6), dict(top_db=0.5)):
        name = ", ".join(f"{field}={value}" for field, value in config.items())
        case = layer_case(random, f"MelSpectrogram({name})", "MelSpectrogram", PLAIN, **(MEL | config))
        yield case | {"config": given(case["config"])}


def kernels():
    for config in (dict(), dict(window="hamming", periodic=True), dict(window="blackman", scaling="spectrum"), dict(window="nuttall", scaling=None),
                   dict(window="blackmanharris"), dict(window="flattop", scaling="spectrum"), dict(window="bartlett", periodic=True),
                   dict(window="triang"), dict(window="cosine"), dict(window="boxcar"), dict(window=None, scaling="spectrum"),
                   dict(window="triang", frame_length=6), dict(frame_length=64, fft_length=100, periodic=True)):
        config = dict(frame_length=7) | config
        layer = keras.layers.STFTSpectrogram(**config)
        layer.build((None, 100, 1))
        assert [weight.name for weight in layer.weights] == ["real_kernel", "imag_kernel"]
        # Every seventh frequency of long ones.
        step = 7 if config["frame_length"] > 9 else 1
        yield {"config": given(config), "step": step, "real": array(layer.real_kernel[:, :, ::step]), "imag": array(layer.imag_kernel[:, :, ::step])}


def speech():
    """A second of a rising tone over a steady one, by its formula: x[i] = sin(1e-5 i^2) / 2 + 0.3 sin(0.3 i)."""
    i = np.arange(16000, dtype=np.float64)
    x = (np.sin(1e-5 * i * i) / 2 + 0.3 * np.sin(0.3 * i)).astype(np.float32)
    layer = keras.layers.MelSpectrogram(fft_length=512, sequence_stride=500, num_mel_bins=20)
    return array(layer(tf.constant(x[None])))


write("spectrograms.json", list(stft_cases()))
write("mel_spectrograms.json", list(mel_cases()))
write("spectrogram_parts.json", {"kernels": list(kernels()), "speech": speech()})
