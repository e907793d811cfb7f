// nccl.h asks for it and uses nothing of it; the toolkit's own would bring the toolkit's other headers with it.
#pragma once
