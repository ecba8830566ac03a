/** What has been filled in of one signer: whose recipient its share is to be sealed to. */
export type HolderDraft = { party: number; personId: string; recipient: string }

/** The signers that are named whole, as the call takes them. */
export function holdersOf(drafts: readonly HolderDraft[]): { party: number; person_id: string; recipient: string }[] {
  return drafts
    .filter(({ personId, recipient }) => personId !== '' && recipient !== '')
    .map(({ party, personId, recipient }) => ({ party, person_id: personId, recipient }))
}

/** Whether an export can be asked for: two signers or three named whole, none in part, different people with different recipients. */
export function canApply(drafts: readonly HolderDraft[]): boolean {
  const whole = holdersOf(drafts)
  const isInPart = drafts.some(({ personId, recipient }) => (personId === '') !== (recipient === ''))
  const differ = (values: string[]) => new Set(values).size === values.length
  return (
    !isInPart &&
    whole.length >= 2 &&
    whole.every(({ recipient }) => /^age1[0-9a-z]{16,4092}$/.test(recipient)) &&
    differ(whole.map((each) => each.person_id)) &&
    differ(whole.map((each) => each.recipient))
  )
}
