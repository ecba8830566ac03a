/** Thousands may be set apart as people write them: 1,000 or 1 000. */
const GROUPED = /^\d{1,3}(?:([, \u00a0\u202f])\d{3})(?:\1\d{3})*$/

/** The whole number that a text says, 0 for none; undefined for what is no whole number, such as 1.5 or 2,5. */
export function readWhole(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return 0
  return /^\d+$/.test(trimmed) || GROUPED.test(trimmed) ? Number(trimmed.replaceAll(/\D/g, '')) : undefined
}
