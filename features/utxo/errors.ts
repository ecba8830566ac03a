import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about the coins of a Bitcoin wallet. */
export const utxoErrors = defineErrors({
  nothing_to_join: entry(
    '300083',
    'toast',
    'There are not two free coins that are worth joining at the present fee. Wait for more coins, or for a lower fee.',
    '当前手续费下没有至少两个值得合并的可用 UTXO。请等待更多 UTXO 或手续费降低。',
  ),
})
