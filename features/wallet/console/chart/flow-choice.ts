import { readMatching, readOneOf, toAddress } from '@holdfast/ui/url-filters'
import { FLOW_RANGES } from '../../contract.ts'

/** What the picture of flows shows; it stands in the address, beside what else does. `coin` is a chain and a contract, by a stroke. */
export type FlowChoice = { range: (typeof FLOW_RANGES)[number]; coin: string | undefined }

const COIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}\|[!-~]{0,128}$/

export function readFlowChoice(search: URLSearchParams): FlowChoice {
  return { range: readOneOf(search, 'flows', FLOW_RANGES) ?? '30d', coin: readMatching(search, 'flow_coin', COIN) }
}

/** The choice as it stands in an address; what is usual is left out. */
export function writeFlowChoice({ range, coin }: FlowChoice): Record<string, string> {
  return toAddress({ flows: range === '30d' ? undefined : range, flow_coin: coin })
}
