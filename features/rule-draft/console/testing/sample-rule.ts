import type { NamedDraft } from '../rules-draft.ts'

/** A rule that refuses every payment, with what a test says of it. */
export const sampleRule = (said: Partial<NamedDraft> = {}): NamedDraft => ({
  kind: 'named',
  id: 'rule',
  name: said.id ?? 'rule',
  level: 'higher',
  covers: { kind: 'payments' },
  conditions: [],
  limits: [],
  action: { kind: 'refuse' },
  ...said,
})
