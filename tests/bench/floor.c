/* SPDX-License-Identifier: MIT */
/* The floor of every measurement: a static program that does nothing. */
int
main(void)
{
	return 0;
}
