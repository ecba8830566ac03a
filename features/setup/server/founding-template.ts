import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { amountOf } from '@holdfast/http'
import { inThirdForm, type NamedRule, type Policy } from '@holdfast/policy'
import { type TieredAsset, tieredRules } from '@holdfast/policy/drafting'
import type { createSetup } from '../contract.ts'

type Template = NonNullable<InputOf<typeof createSetup>['template']>

/** The rules that an organisation is founded with, as its draft keeps them: amounts in base units as text. */
export type DraftTemplate = { language: Language; assets: { chain: string; asset: string; each: string; day: string; most: string | null }[] }

/** A chosen template with its amounts in base units. Throws AppError for an asset that this server does not list, or amounts that leave no payment. */
export function templateOf({ assets }: Template, networks: ServerContext['networks'], language: Language): DraftTemplate {
  const refuse = (reason: string) => new AppError('invalid_parameters', { details: { field: 'template', reason } })
  const names = assets.map(({ chain, asset }) => `${chain}|${asset}`)
  if (new Set(names).size !== names.length) throw refuse('it names an asset twice')
  const read = assets.map((each) => {
    const network = networks.find(each.chain)
    const listed = [...(network?.assets ?? []), ...(network?.collections ?? [])].find(({ contract }) => (contract ?? '') === each.asset)
    if (!listed) throw refuse('it names an asset that this server does not list')
    const amount = (text: string) => amountOf(text, listed)
    const amounts = { each: amount(each.each), day: amount(each.day), most: each.large === null ? null : amount(each.large) }
    if (amounts.day < amounts.each) throw refuse('the daily limit must not be below that of one payment')
    if (amounts.most !== null && amounts.most < amounts.each) throw refuse('the limit of large payments must not be below that of small ones')
    return {
      chain: each.chain,
      asset: each.asset,
      each: String(amounts.each),
      day: String(amounts.day),
      most: amounts.most === null ? null : String(amounts.most),
    }
  })
  return { language, assets: read }
}

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** How long a change waits that loosens what an organisation was founded with: whoever has a quorum for a moment does not have everything at once. */
const LOOSENING_DELAY_MS = 86_400_000n

/** The first policy by a template: of the third form, with its rules, and with a wait for what loosens them. `need` of everybody approve what is large. */
export function policyOfTemplate(first: Policy, template: DraftTemplate, need: bigint): Policy {
  const everybody = first.people.map(({ id }) => id)
  return { ...inThirdForm(first), rules: rulesOfTemplate(template, everybody, need), looseningDelayMs: LOOSENING_DELAY_MS }
}

/** Everybody may ask and approve. */
function rulesOfTemplate({ language, assets }: DraftTemplate, everybody: readonly Uint8Array[], need: bigint): NamedRule[] {
  const who = everybody.map((id) => ({ kind: 'person' as const, id }))
  const tiers = assets.map(
    ({ chain, asset, each, day, most }): TieredAsset => ({ chain, asset, each: BigInt(each), day: BigInt(day), most: most === null ? null : BigInt(most) }),
  )
  return tieredRules(tiers, { askers: who, approvers: who, need }, LOCALE[language])
}
