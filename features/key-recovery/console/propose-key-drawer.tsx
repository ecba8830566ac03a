import { Note, SelectField } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listKeys, proposeKeyChange } from '../contract.ts'
import type { KeyView } from './key-card.tsx'
import { ProposeForm } from './propose-form.tsx'
import { RepairWalk } from './repair-walk.tsx'

/** What an order for new shares will do and what it needs, before it is proposed. */
export function ProposeKeyDrawer({ of, action, what }: { of: KeyView; action: 'refresh' | 'repair'; what: string }) {
  const { t } = useTranslation('privateKeyRecovery')
  // The signer that holds no share of this epoch is the one a repair is for.
  const [party, setParty] = useState(() => of.signers.find(({ online, active }) => online && active !== of.epoch)?.party ?? 3)
  const { data: keys } = useEndpoint(listKeys, { wallet_id: of.wallet_id })
  // The walk goes on while the drawer is open: signers come and go.
  const { signers } = keys?.list.find((each) => each.key_id === of.key_id) ?? of
  const propose = useSend(proposeKeyChange)
  const asked = { wallet_id: of.wallet_id, key_kind: of.key_kind, action, ...(action === 'repair' ? { party } : {}) }
  return (
    <ProposeForm what={what} asked={{ ...asked, epoch: of.epoch }} sending={propose} send={(sent) => propose.mutate({ ...sent, ...asked })} isDanger={false}>
      <Note tone={action === 'repair' ? 'warn' : 'info'}>{t(`asks.${action}.note`)}</Note>
      <ul className="hf-bullets">
        {(['first', 'second', 'third'] as const).map((each) => (
          <li key={each}>{t(`asks.${action}.${each}`)}</li>
        ))}
      </ul>
      {action === 'repair' && (
        <SelectField
          label={t('repair.party')}
          value={String(party)}
          onChange={(chosen) => setParty(Number(chosen))}
          options={signers.map((signer) => ({ value: String(signer.party), label: `${signer.party} – ${signer.name}` }))}
        />
      )}
      {action === 'repair' && <RepairWalk party={party} signers={signers} />}
    </ProposeForm>
  )
}
