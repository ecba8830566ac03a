import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about addresses that look like known ones. */
export const knownAddressErrors = defineErrors({
  address_look_alike: entry(
    '300005',
    'toast',
    'This address looks like another one you know, but is different. Compare it character by character, then confirm it.',
    '该地址与您已知的地址相似但不同。请逐字核对并确认。',
  ),
})
