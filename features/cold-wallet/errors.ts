import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about multisig addresses. */
export const coldWalletErrors = defineErrors({
  multisig_address_wrong: entry(
    '200073',
    'toast',
    'This is not a multisig address of the network. Check the address.',
    '该地址不是此网络的多签地址。请检查地址。',
  ),
  multisig_address_not_yours: entry(
    '200074',
    'toast',
    'This multisig address does not belong to your organisation. Use one of yours.',
    '该多签地址不属于您的组织。请使用本组织的地址。',
  ),
})
