"""As much of an X client as a benchmark needs: wait until a window is painted, press a key in it. Speaks to libX11 through ctypes."""
import ctypes
import time

SUBSTRUCTURE_NOTIFY, KEY_PRESS_MASK, ZPIXMAP, ALL_PLANES = 1 << 19, 1, 2, 0xFFFFFFFFFFFFFFFF
KEY_PRESS, KEY_RELEASE, MAP_NOTIFY = 2, 3, 19
CONTROL_MASK, REVERT_TO_PARENT, CURRENT_TIME = 1 << 2, 2, 0
LEAST_WIDTH = 800  # pixels of a window that counts
HEAD = (0, 0, 600, 40)  # of the window, where the menu row and the page's title stand
LEAST_COLORS = 8  # smoothed letters have more, a cleared window has one

Window = ctypes.c_ulong


class AnyEvent(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("event", Window), ("window", Window), ("rest", ctypes.c_long * 20)]


class KeyEvent(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", Window), ("root", Window), ("subwindow", Window), ("time", ctypes.c_ulong), ("x", ctypes.c_int), ("y", ctypes.c_int),
                ("x_root", ctypes.c_int), ("y_root", ctypes.c_int), ("state", ctypes.c_uint), ("keycode", ctypes.c_uint),
                ("same_screen", ctypes.c_int), ("rest", ctypes.c_long * 10)]


class Image(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int), ("bitmap_bit_order", ctypes.c_int),
                ("bitmap_pad", ctypes.c_int), ("depth", ctypes.c_int), ("bytes_per_line", ctypes.c_int)]


def library():
    x = ctypes.CDLL("libX11.so.6")
    pointer, number = ctypes.c_void_p, ctypes.c_int
    x.XOpenDisplay.restype = pointer
    x.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x.XDefaultRootWindow.restype = Window
    x.XGetImage.restype = ctypes.POINTER(Image)
    x.XGetImage.argtypes = [pointer, Window, number, number, ctypes.c_uint, ctypes.c_uint, ctypes.c_ulong, number]
    x.XGetGeometry.argtypes = [pointer, Window, pointer, pointer, pointer, pointer, pointer, pointer, pointer]
    x.XStringToKeysym.restype = ctypes.c_ulong
    x.XKeysymToKeycode.argtypes = [pointer, ctypes.c_ulong]
    x.XSetInputFocus.argtypes = [pointer, Window, number, ctypes.c_ulong]
    x.XSendEvent.argtypes = [pointer, Window, number, ctypes.c_long, pointer]
    x.XSelectInput.argtypes = [pointer, Window, ctypes.c_long]
    x.XNextEvent.argtypes = [pointer, pointer]
    x.XSync.argtypes = [pointer, number]
    for name in ("XDefaultRootWindow", "XPending", "XCloseDisplay"):
        getattr(x, name).argtypes = [pointer]
    return x


class Display:
    def __init__(self, name):
        self.x = library()
        self.display = self.x.XOpenDisplay(name.encode())
        if not self.display:
            raise SystemExit(f"display {name}: expected it to open, it was refused")
        self.root = self.x.XDefaultRootWindow(self.display)
        self.x.XSelectInput(self.display, self.root, SUBSTRUCTURE_NOTIFY)
        self.x.XSync(self.display, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.x.XCloseDisplay(self.display)

    def wait_for_painted_window(self, seconds):
        """The first large window that is mapped and has more in it than its ground."""
        until = time.monotonic() + seconds
        window = None
        while time.monotonic() < until:
            while self.x.XPending(self.display):
                event = AnyEvent()
                self.x.XNextEvent(self.display, ctypes.byref(event))
                if event.type == MAP_NOTIFY and self._width(event.window) >= LEAST_WIDTH:
                    window = event.window
            if window is not None and self._colors(window) >= LEAST_COLORS:
                return window
            time.sleep(0.002)
        raise SystemExit(f"expected a painted window within {seconds} s, " + ("found none" if window is None else "it stayed empty"))

    def press(self, window, key, control=False):
        self.x.XSetInputFocus(self.display, window, REVERT_TO_PARENT, CURRENT_TIME)
        code = self.x.XKeysymToKeycode(self.display, self.x.XStringToKeysym(key.encode()))
        for kind in (KEY_PRESS, KEY_RELEASE):
            event = KeyEvent(type=kind, display=self.display, window=window, root=self.root, state=CONTROL_MASK if control else 0, keycode=code,
                             same_screen=1)
            self.x.XSendEvent(self.display, window, 1, KEY_PRESS_MASK, ctypes.byref(event))
        self.x.XSync(self.display, 0)

    def _width(self, window):
        root, x, y, width, height, border, depth = Window(), *[ctypes.c_int() for _ in range(2)], *[ctypes.c_uint() for _ in range(4)]
        self.x.XGetGeometry(self.display, window, *[ctypes.byref(value) for value in (root, x, y, width, height, border, depth)])
        return width.value

    def _colors(self, window):
        image = self.x.XGetImage(self.display, window, *HEAD, ALL_PLANES, ZPIXMAP)
        if not image:
            return 0
        size = image.contents.bytes_per_line * image.contents.height
        pixels = ctypes.string_at(image.contents.data, size)
        return len({pixels[at:at + 4] for at in range(0, size, 4)})
