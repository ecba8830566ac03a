import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about the coins of a Bitcoin wallet. */
export const utxoErrors = defineErrors({
  nothing_to_join: entry(
    '300083',
    'toast',
    'There are not two free UTXOs worth consolidating at the current fee. Wait for more UTXOs, or for a lower fee.',
    '当前手续费下没有至少两个值得合并的可用 UTXO。请等待更多 UTXO 或手续费降低。',
  ),
})
