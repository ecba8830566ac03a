import { list, struct } from '@holdfast/encoding'
import { ASKING_KINDS } from '../people/machines.ts'
import { faultOfWho, nameWho, partyShape, peopleMeant, WHO_MAX } from '../people/who.ts'
import type { ConditionKind } from './condition-kind.ts'
import { isAmong } from '../people/is-among.ts'

const shape = struct('holdfast/condition/askers/v1', { who: list(partyShape, WHO_MAX) })

/** Who asks. Only where it is named here can a machine ask. */
export const askers = {
  shape,
  suits: ['payment', 'call', 'stake', 'trade'],
  fault: ({ who }, known) => faultOfWho(known, who, ASKING_KINDS),
  holds: ({ who }, { initiator }, _, known) => isAmong(peopleMeant(known, who), initiator),
  words: ({ who }, known, locale) => (locale === 'zh-CN' ? `由${nameWho(known, who, locale)}发起` : `asked for by ${nameWho(known, who, locale)}`),
} satisfies ConditionKind<typeof shape>
