import { Checkbox, TextField } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice, Chips, Part } from '@holdfast/features/strategy/console'
import { KEY_PERMISSIONS } from '../../settings-contract.ts'
import { permissionKey } from '../settings-words.tsx'
import { CallbackFields } from './callback-fields.tsx'
import { KeyField } from './key-field.tsx'
import type { Kind, Known, MachineTyped, SettingsFault, SettingsTyped } from './typed.ts'

type MachineFieldsProps = {
  kind: Kind
  typed: MachineTyped
  onChange: (typed: MachineTyped) => void
  wrong: (field: keyof MachineTyped) => string | undefined
  /** By what the policy knows it. */
  appId: string
  /** Absent where the policy knows it already. */
  onAppId?: (id: string) => void
  /** What is wrong with the id. */
  idFault?: string | undefined
  /** What stands in the place of the public key, where the key is of another kind. */
  keys?: ReactNode
}

/** What a machine is called, what for, its key, and until when. */
export function MachineFields({ kind, typed, onChange, wrong, appId, onAppId, idFault, keys }: MachineFieldsProps) {
  const { t } = useTranslation('apiPage')
  const set = (changes: Partial<MachineTyped>) => onChange({ ...typed, ...changes })
  return (
    <Part title={t('api.form.machine')}>
      <div className="hf-api-grid">
        <TextField label={t('api.form.name')} value={typed.name} onChange={(name) => set({ name })} count={30} error={wrong('name')} />
        {onAppId && <TextField label={t('api.form.id')} hint={t('api.form.idHint')} value={appId} onChange={onAppId} maxLength={48} error={idFault} />}
        <TextField
          label={t('api.expires')}
          hint={t('api.form.expiresHint')}
          type="date"
          value={typed.expires}
          onChange={(expires) => set({ expires })}
          error={wrong('expires')}
        />
      </div>
      <TextField label={t('api.purpose')} value={typed.purpose} onChange={(purpose) => set({ purpose })} count={100} error={wrong('purpose')} />
      {keys ?? <KeyField kind={kind} value={typed.publicKey} onChange={(publicKey) => set({ publicKey })} fileName={appId} error={wrong('publicKey')} />}
    </Part>
  )
}

type SettingsFieldsProps = {
  typed: SettingsTyped
  known: Pick<Known, 'sources'>
  onChange: (typed: SettingsTyped) => void
  wrong: (field: SettingsFault) => string | undefined
  /** Whether the key asks for orders, which a rule of its own bounds. */
  asks: boolean
}

const READS = KEY_PERMISSIONS.filter((each) => each.endsWith('.read'))
const WRITES = KEY_PERMISSIONS.filter((each) => !each.endsWith('.read'))

/** What a key may ask of the server. */
export function SettingsFields({ typed, known, onChange, wrong, asks }: SettingsFieldsProps) {
  const { t } = useTranslation('apiPage')
  const set = (changes: Partial<SettingsTyped>) => onChange({ ...typed, ...changes })
  const { permissions, wallets } = typed
  const boxes = (legend: string, list: typeof READS) => (
    <fieldset className="hf-api-boxes">
      <legend>{legend}</legend>
      {list.map((each) => (
        <Checkbox
          key={each}
          checked={permissions.includes(each)}
          onChange={(isChosen) => set({ permissions: isChosen ? [...permissions, each] : permissions.filter((other) => other !== each) })}
        >
          {t(`api.permission.${permissionKey(each)}`)}
        </Checkbox>
      ))}
    </fieldset>
  )
  return (
    <Part title={t('api.settings.title')} note={t(asks ? 'api.form.settingsNote' : 'api.form.settingsAlone')}>
      {boxes(t('api.form.reads'), READS)}
      {boxes(t('api.form.writes'), WRITES)}
      <Choice
        name="wallets"
        label={t('api.settings.field.wallets')}
        value={wallets === null ? 'all' : 'some'}
        options={(['all', 'some'] as const).map((value) => ({ value, label: t(`api.form.wallets.${value}`) }))}
        onChange={(value) => set({ wallets: value === 'all' ? null : [] })}
      />
      {wallets !== null && (
        <WalletChips
          label={t('api.settings.field.wallets')}
          known={known}
          chosen={wallets}
          onChange={(chosen) => set({ wallets: chosen })}
          error={wrong('wallets')}
        />
      )}
      <div className="hf-api-grid">
        <TextField
          label={t('api.settings.field.addresses')}
          hint={t('api.form.addressesHint')}
          value={typed.addresses}
          onChange={(addresses) => set({ addresses })}
          rows={3}
          error={wrong('addresses')}
        />
        <TextField
          label={t('api.settings.field.per_minute')}
          value={typed.rate}
          onChange={(rate) => set({ rate })}
          inputMode="numeric"
          maxLength={4}
          error={wrong('rate')}
        />
      </div>
      {typed.doorTwo !== null && <CallbackFields value={typed.doorTwo} onChange={(doorTwo) => set({ doorTwo })} error={wrong('callback')} />}
    </Part>
  )
}

type WalletChipsProps = {
  label: string
  known: Pick<Known, 'sources'>
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  error?: string | undefined
}

/** Some of the sub-wallets. */
export function WalletChips({ label, known, chosen, onChange, error }: WalletChipsProps) {
  const { t } = useTranslation('apiPage')
  const names = new Map(known.sources.map((each) => [each.sub_wallet_id, each.name]))
  return (
    <Chips
      label={label}
      addLabel={t('api.form.addWallet')}
      chosen={chosen.map((value) => ({ value, label: names.get(value) ?? value }))}
      options={[...names].map(([value, name]) => ({ value, label: name }))}
      onAdd={(value) => onChange([...chosen, value])}
      onDrop={(value) => onChange(chosen.filter((each) => each !== value))}
      error={error}
    />
  )
}
