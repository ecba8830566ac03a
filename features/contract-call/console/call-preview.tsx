import type { OutputOf } from '@holdfast/contract'
import { Address, Facts, Label, Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { checkCall } from '../contract.ts'

type Checked = OutputOf<typeof checkCall>

/** What a call says, and what a node said it would do. */
export function CallPreview({ decoded, simulation }: Pick<Checked, 'decoded' | 'simulation'>) {
  return (
    <>
      <CallWords decoded={decoded} />
      <SimulationWords simulation={simulation} />
    </>
  )
}

/** What a call says: its function, every argument, the rights it gives, and what to beware of. */
function CallWords({ decoded }: { decoded: Checked['decoded'] }) {
  const { t } = useTranslation()
  return (
    <>
      <Note tone={decoded.grave ? 'bad' : 'warn'} title={decoded.title}>
        <ul className="hf-bullets">
          {[...decoded.grants, ...decoded.warnings].map((line) => (
            <li key={line}>
              <Label text={line} wrap />
            </li>
          ))}
        </ul>
      </Note>
      <Facts
        facts={[
          ...decoded.trade.map(({ label, value }) => ({ label, value: <Label text={value} wrap />, wide: true })),
          { label: t('contractCall.method'), value: <code className="hf-break">{decoded.method ?? t('contractCall.unknown')}</code>, wide: true },
          ...decoded.args.map(({ label, value }) => ({ label, value: <code className="hf-break">{value}</code>, wide: true })),
        ]}
      />
    </>
  )
}

/** What a node said the call would do: the server's word, which no signer checks. */
function SimulationWords({ simulation }: { simulation: Checked['simulation'] }) {
  const { t } = useTranslation()
  if (simulation.fails !== null) {
    return (
      <Note tone="bad" title={t('contractCall.fails')}>
        <Label text={simulation.fails} wrap />
      </Note>
    )
  }
  return (
    <Note tone={simulation.risk === 'none' ? 'good' : 'warn'} title={t('contractCall.simulated')}>
      {simulation.changes === null && <p>{t('contractCall.changesUnknown')}</p>}
      {simulation.changes?.length === 0 && <p>{t('contractCall.changesNothing')}</p>}
      <ul className="hf-bullets">
        {simulation.changes?.map(({ symbol, delta, contract_address: contract }) => (
          <li key={`${symbol} ${contract}`} className="hf-numbers">
            {delta} {symbol === '' ? t('contractCall.unlisted') : <Label text={symbol} />} {contract !== null && <Address address={contract} />}
          </li>
        ))}
      </ul>
      <p className="hf-small hf-muted">{t('contractCall.serversWord')}</p>
    </Note>
  )
}
