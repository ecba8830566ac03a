import { list, struct } from '@holdfast/encoding'
import { faultOfWho, nameWho, peopleMeant, WHO_MAX, whoShape } from '../people/who.ts'
import type { ConditionKind } from './condition-kind.ts'
import { isAmong } from '../people/is-among.ts'

const shape = struct('holdfast/condition/askers/v1', { who: list(whoShape, WHO_MAX) })

/** Who asks. */
export const askers = {
  shape,
  suits: ['payment', 'call', 'stake'],
  fault: ({ who }, known) => faultOfWho(known, who),
  holds: ({ who }, { initiator }, _, known) => isAmong(peopleMeant(known, who), initiator),
  words: ({ who }, known, locale) => (locale === 'zh-CN' ? `由${nameWho(known, who, locale)}发起` : `asked for by ${nameWho(known, who, locale)}`),
} satisfies ConditionKind<typeof shape>
