import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { KeySettings } from '../settings-contract.ts'

export type WalletNames = readonly { sub_wallet_id: string; name: string }[]

const FIELDS = ['is_on', 'permissions', 'wallets', 'addresses', 'per_minute', 'door_two', 'callback'] as const

/** What settings say in one of their fields. */
export function settingWords(field: (typeof FIELDS)[number], settings: KeySettings, wallets: WalletNames, t: TFunction<'apiPage'>): string {
  const { permissions, addresses, per_minute: rate, is_on: isOn, wallets: chosen } = settings
  const callback = settings.door_two?.callback
  const joined = (words: readonly string[]) => (words.length === 0 ? t('api.settings.none') : words.join(t('api.separator')))
  if (field === 'is_on') return t(isOn ? 'api.status.on' : 'api.status.off')
  if (field === 'permissions') return joined(permissions.map((each) => t(`api.permission.${permissionKey(each)}`)))
  if (field === 'addresses') return joined(addresses)
  if (field === 'door_two') return t(settings.door_two === null ? 'api.settings.none' : 'api.doorTwo.given')
  if (field === 'callback')
    return callback ? `${callback.url} (${joined(callback.sides.map((side) => t(`api.callback.side.${side}`)))})` : t('api.settings.none')
  if (field === 'per_minute') return t('api.settings.rate', { count: rate })
  return chosen === null ? t('api.settings.allWallets') : joined(chosen.map((id) => wallets.find((each) => each.sub_wallet_id === id)?.name ?? id))
}

/** A right without its dot, which would be a place among the words. */
export const permissionKey = <P extends KeySettings['permissions'][number]>(permission: P) => permission.replace('.', '_') as Replaced<P>
type Replaced<P extends string> = P extends `${infer Head}.${infer Tail}` ? `${Head}_${Tail}` : P

/** What other settings change, field by field. */
export function SettingsDiff({ before, after, wallets }: { before: KeySettings | null; after: KeySettings; wallets: WalletNames }) {
  const { t } = useTranslation('apiPage')
  const told = FIELDS.map((field) => ({
    field,
    old: before ? settingWords(field, before, wallets, t) : undefined,
    next: settingWords(field, after, wallets, t),
  })).filter(({ old, next }) => old !== next)
  if (told.length === 0) return <span className="hf-muted">{t('api.settings.same')}</span>
  return (
    <ul className="hf-api-diff">
      {told.map(({ field, old, next }) => (
        <li key={field}>
          <strong>{t(`api.settings.field.${field}`)}</strong> {old !== undefined && <del className="hf-muted">{old}</del>} {next}
        </li>
      ))}
    </ul>
  )
}
