/* SPDX-License-Identifier: MIT */
#include "base/base.h"

int
main(void)
{
	return 0;
}
