import type { Api } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { fromBase64 } from '@holdfast/ui'
import { exportLog } from '../contract.ts'

export type Stretch = OutputOf<typeof exportLog>
type Reading = { client: Api['client']; signal: AbortSignal; onProgress?: (share: number) => void }

/** The log from its first entry on, in stretches as the server answers them. Whoever reads them shows a refusal. */
export async function* stretchesOf({ client, signal, onProgress }: Reading): AsyncGenerator<Stretch & { bytes: Uint8Array<ArrayBuffer> }> {
  for (let from: number | null = 0; from !== null; ) {
    const stretch: Stretch = await client.call(exportLog, { from }, { signal, shows: () => true })
    yield { ...stretch, bytes: fromBase64(stretch.log) }
    from = stretch.next
    onProgress?.((from ?? stretch.entries) / Math.max(1, stretch.entries))
  }
}
