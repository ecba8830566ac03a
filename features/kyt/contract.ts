import { SCREENING_LEVELS } from '@holdfast/intent/screening-levels'
import * as z from 'zod'

const said = z.object({ level: z.string(), provider: z.string(), at: z.int() })
const screened = said.extend({ level: z.enum(SCREENING_LEVELS) })
export type Screened = z.output<typeof screened>

/** What a screener said last of what pays an address. */
export const lastScreening = screened.nullable().describe('What a screener said last of an order or a batch that pays the address; null where nobody did')

const screening = z.object({
  screener: z.string(),
  levels: z.array(z.string()).describe('The levels of risk with which the rule lets it be signed, or refuses it where it refuses'),
  refuses: z.boolean().describe('Whether the rule that asks refuses'),
  within_ms: z.int(),
  state: z.enum(['missing', 'stale', 'expired', 'said']).describe('What its newest word is to the rule now; expired: the time of the screener is over'),
  last: said.nullable(),
})

/** What the rule of an order demands of screeners before it is signed, and what each said last. */
export const screenings = z
  .array(screening)
  .optional()
  .describe('What the rule demands of screeners before it is signed, and what each said last. Absent where it demands nothing')
export type Screenings = NonNullable<z.output<typeof screenings>>
