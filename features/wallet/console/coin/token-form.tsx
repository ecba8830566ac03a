import { networkOption, TokenSigns } from '@holdfast/features/network/console'
import { usePermission } from '@holdfast/features/session/console'
import { Address, Button, confirm, Facts, Label, Note, PickField, StatusTag, TextField, Time, type Tone, useDrawers } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { applyForToken, checkToken, listTokenApplications, refuseToken } from '../../contract.ts'

type Network = { chain: string; name: string }
type Place = { chain: string; contract_address: string }

/** Requests an unlisted token by its contract: its own description is shown as a stranger's words, and the policy decides. */
export function TokenForm({ networks, contract }: { networks: readonly Network[]; contract: string }) {
  const { t } = useTranslation()
  const [chain, setChain] = useState(networks[0]?.chain ?? '')
  const [place, setPlace] = useState<Place>()
  const asked = { chain, contract_address: contract }
  const isAsked = place?.chain === chain && place.contract_address === contract
  return (
    <section className="hf-stack" aria-labelledby="token-form">
      <h3 id="token-form">{t('wallet.token.title')}</h3>
      <p className="hf-muted">{t('wallet.token.note')}</p>
      <PickField label={t('wallet.token.network')} value={chain} options={networks.map((each) => networkOption(each.chain, each.name))} onChange={setChain} />
      {isAsked ? (
        <Described place={place} />
      ) : (
        <div>
          <Button onClick={() => setPlace(asked)}>{t('wallet.token.check')}</Button>
        </div>
      )}
    </section>
  )
}

function Described({ place }: { place: Place }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [fromHeight, setFromHeight] = useState('')
  const { data, error } = useEndpoint(checkToken, place)
  const send = useSend(applyForToken)
  if (error) return <Note tone="bad">{error.message}</Note>
  if (!data) return <p className="hf-muted">{t('wallet.token.asking')}</p>
  if (send.data) return <Note tone="good">{t('wallet.token.sent')}</Note>
  const isHeight = fromHeight.trim() === '' || /^\d{1,15}$/.test(fromHeight.trim())
  const ask = () => send.mutate({ ...place, reason: reason.trim(), ...(fromHeight.trim() !== '' && { from_height: Number(fromHeight.trim()) }) })
  return (
    <>
      <Note tone="warn">{t('wallet.token.words', { sources: data.sources })}</Note>
      <Facts
        facts={[
          { label: t('wallet.token.symbol'), value: <Label text={data.symbol} /> },
          { label: t('wallet.token.name'), value: <Label text={data.name} wrap /> },
          { label: t('wallet.token.decimals'), value: <span className="hf-numbers">{data.decimals}</span> },
          { label: t('wallet.token.listedAs'), value: <Label text={data.listed_as} /> },
          { label: t('wallet.token.contract'), value: <Address address={data.contract_address} />, wide: true },
        ]}
      />
      <TokenSigns signs={data.signs} />
      {data.signs && (data.signs.differing > 0 || data.signs.functions.length > 0) && <p className="hf-muted">{t('wallet.token.signsNote')}</p>}
      <TextField label={t('wallet.token.reason')} value={reason} onChange={setReason} rows={2} count={200} />
      <TextField
        label={t('wallet.token.fromHeight')}
        hint={t('wallet.token.fromHeightNote')}
        value={fromHeight}
        onChange={setFromHeight}
        error={isHeight ? undefined : t('wallet.token.heightFault')}
        inputMode="numeric"
        autoComplete="off"
      />
      {send.error && <Note tone="bad">{send.error.message}</Note>}
      <div>
        <Button variant="primary" disabled={!isHeight} loading={send.isPending} onClick={ask}>
          {t('wallet.token.apply')}
        </Button>
      </div>
    </>
  )
}

const STATUS_TONES = ['active', 'good', 'bad'] as const satisfies readonly Tone[]

/** The requested tokens, whether the policy includes them, and the reason if somebody refused. */
export function TokenApplications() {
  const { t } = useTranslation()
  const { data } = useEndpoint(listTokenApplications, {})
  if (!data || data.length === 0) return null
  return (
    <section className="hf-stack" aria-labelledby="token-applications">
      <h3 id="token-applications">{t('wallet.token.applications')}</h3>
      <ul className="hf-coin-results">
        {data.map((each) => (
          <li key={each.id}>
            <div className="hf-coin hf-grow">
              <span className="hf-coin-symbol">
                <Label text={each.symbol} />
              </span>
              <span className="hf-coin-network">{each.network}</span>
              <Address address={each.contract_address} />
              <span className="hf-spread">
                <StatusTag
                  tone={STATUS_TONES[each.audit_status]}
                  text={t(`wallet.token.status.${each.audit_status}`)}
                  {...(each.refused && { next: <Refused refused={each.refused} /> })}
                />
                {each.audit_status === 0 && <Refuse id={each.id} symbol={each.symbol} />}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Refused({ refused: { by, at, reason } }: { refused: { by: string; at: number; reason: string } }) {
  return (
    <>
      <Label text={by} />, <Time ms={at} />: <Label text={reason} wrap />
    </>
  )
}

/** Refuses an application, with a reason, for people who may propose versions of the policy. */
function Refuse({ id, symbol }: { id: string; symbol: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const may = usePermission('policy.propose')
  const refuse = useSend(refuseToken)
  if (!may) return null
  const ask = async () => {
    const title = t('wallet.token.refuseTitle', { symbol })
    const answer = await confirm(drawers, {
      type: 'remove',
      title,
      content: t('wallet.token.refuseText'),
      remark: 'needed',
      confirmText: t('wallet.token.refuse'),
    })
    if (answer.outcome === 'confirm') await refuse.mutateAsync({ id, reason: answer.remark }).catch(() => undefined)
  }
  return (
    <Button size="small" variant="danger" loading={refuse.isPending} onClick={() => void ask()}>
      {t('wallet.token.refuse')}
    </Button>
  )
}
