import type { PickerOption } from '@holdfast/ui'
import { CoinMark, NetworkMark } from './coin-mark.tsx'

type MarkedCoin = { chain: string; network: string; contract_address: string | null }

/** A coin as people choose it: with its logo, its unit and its network. */
export function coinOption<Value extends string>(value: Value, unit: string, { chain, network, contract_address: contract }: MarkedCoin): PickerOption<Value> {
  return { value, label: `${unit} · ${network}`, mark: <CoinMark chain={chain} contract={contract} symbol={unit} size="small" /> }
}

/** A network as people choose it: with its logo and its name. */
export function networkOption(chain: string, network: string): PickerOption<string> {
  return { value: chain, label: network, mark: <NetworkMark chain={chain} network={network} /> }
}
