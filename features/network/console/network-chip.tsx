import { Label } from '@holdfast/ui'
import { NetworkMark } from './coin-mark.tsx'

/** A network by its mark and its name. */
export function NetworkChip({ chain, network }: { chain: string; network: string }) {
  return (
    <span className="hf-marked hf-network-chip">
      <NetworkMark chain={chain} network={network} />
      <Label text={network} />
    </span>
  )
}
