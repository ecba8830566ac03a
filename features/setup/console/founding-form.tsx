import { looksLikeName } from '@holdfast/contract'
import { Button, IconBack, IconPlus, IconTrash, PageHeader, SelectField, TextField, useTextForm } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FoundingLimit, useFoundingLimit } from './founding-limit.tsx'
import { highestThreshold, OFFICERS_NEEDED_MAX, proposedThreshold, recipientsFault, recipientsOf, SIGNERS } from './founding-rules.ts'
import { RecoveryIdentities, type SignerIdentity } from './recovery-identities.tsx'
import { useFounding } from './use-founding.ts'
import { WhoHoldsWhat } from './who-holds-what.tsx'

const MAX_MEMBERS = 20
const MIN_MEMBERS = 2
const LONGEST_NAME = 50

/** Asks for the name, the people, the rules and the recovery identities of a new organisation. */
export function FoundingForm({ onBegun, onBack }: { onBegun: (setupToken: string) => void; onBack?: () => void }) {
  const { t } = useTranslation()
  const { begin, isRunning } = useFounding(onBegun)
  const founding = useFoundingFields()
  const limit = useFoundingLimit()
  const { form, field, isTried, submit, lines, setLines, threshold, officersNeeded, recipients, recoveryFault } = founding
  const send = (values: Record<string, string>) => {
    if (recoveryFault !== undefined || limit.fault !== undefined) return
    void begin({
      name: values.name?.trim() ?? '',
      members: lines.map((line) => values[`member${line}`]?.trim() ?? ''),
      threshold,
      recovery: recipients,
      recovery_threshold: officersNeeded,
      ...(limit.template && { template: limit.template }),
      demo: false,
    })
  }
  return (
    <section className="hf-founding hf-founding-wide">
      <PageHeader
        title={t('setup.form.title')}
        actions={
          onBack && (
            <Button variant="quiet" icon={<IconBack />} onClick={onBack}>
              {t('setup.form.back')}
            </Button>
          )
        }
      >
        {t('setup.form.note')}
      </PageHeader>
      <div className="hf-founding-columns">
        <form ref={form} className="hf-panel hf-stack-wide" noValidate onSubmit={(event) => submit(event, send)}>
          <TextField {...field('name')} maxLength={LONGEST_NAME} autoComplete="organization" />
          <Members lines={lines} onChange={setLines} field={field} />
          <SelectField
            label={t('setup.form.threshold')}
            value={String(threshold)}
            hint={t('setup.form.thresholdNote')}
            onChange={(value) => founding.setChosen(Number(value))}
            options={Array.from({ length: highestThreshold(lines.length) }, (_, at) => ({
              value: String(at + 1),
              label: t('setup.form.thresholdOption', { need: at + 1, of: lines.length }),
            }))}
          />
          <FoundingLimit {...{ limit, isTried }} />
          <fieldset className="hf-fieldset">
            <legend>{t('setup.form.recovery')}</legend>
            <p className="hf-small hf-muted">{t('setup.form.recoveryNote')}</p>
            <RecoveryIdentities
              made={founding.made}
              onChange={founding.setMade}
              pasted={(signer) => field(`recovery${signer}`)}
              isTried={isTried}
              fault={isTried && recoveryFault !== undefined ? t(`setup.form.${recoveryFault}`) : undefined}
            />
            <SelectField
              label={t('setup.form.officers')}
              value={String(officersNeeded)}
              hint={t('setup.form.officersNote')}
              onChange={(value) => founding.setOfficersNeeded(Number(value))}
              options={Array.from({ length: OFFICERS_NEEDED_MAX }, (_, at) => ({
                value: String(at + 1),
                label: t('setup.form.officersOption', { count: at + 1 }),
              }))}
            />
          </fieldset>
          <div>
            <Button type="submit" size="large" variant="primary" loading={isRunning}>
              {t('setup.form.submit')}
            </Button>
          </div>
        </form>
        <WhoHoldsWhat
          names={lines.map((line) => founding.valueOf(`member${line}`).trim())}
          threshold={threshold}
          officers={recipients.map(({ length }) => length)}
          officersNeeded={officersNeeded}
        />
      </div>
    </section>
  )
}

/** What is typed and chosen, and what is wrong with it. */
function useFoundingFields() {
  const { t } = useTranslation()
  // Each line keeps its number, so that removing one leaves what stands in the others.
  const [lines, setLines] = useState<readonly number[]>([0, 1, 2])
  const [chosen, setChosen] = useState<number>()
  const [officersNeeded, setOfficersNeeded] = useState(1)
  const [made, setMade] = useState<readonly SignerIdentity[]>([])
  const memberRules = Object.fromEntries(
    lines.map((line, at) => [
      `member${line}`,
      {
        label: t('setup.form.member', { number: at + 1 }),
        check: (value: string, all: Readonly<Partial<Record<string, string>>>) =>
          lines.some((other) => other !== line && looksLikeName(all[`member${other}`]?.trim() ?? '', value.trim())) ? t('setup.form.sameName') : undefined,
      },
    ]),
  )
  const recoveryRules = Object.fromEntries(SIGNERS.map((signer) => [`recovery${signer}`, { label: t('setup.form.recipients', { signer }), optional: true }]))
  const fields = useTextForm<string>({ name: { label: t('setup.form.name') }, ...memberRules, ...recoveryRules })
  const recipients = SIGNERS.map((signer) => [
    ...made.filter((each) => each.signer === signer).map(({ recipient }) => recipient),
    ...recipientsOf(fields.valueOf(`recovery${signer}`)),
  ])
  const [wrong] = recipients.flatMap((own, at) => recipientsFault(own, recipients.toSpliced(at, 1).flat(), officersNeeded) ?? [])
  const recoveryFault = wrong ?? (made.every(({ isKept }) => isKept) ? undefined : 'recipientsUnkept')
  const threshold = Math.min(chosen ?? proposedThreshold(lines.length), highestThreshold(lines.length))
  return { ...fields, lines, setLines, threshold, setChosen, officersNeeded, setOfficersNeeded, made, setMade, recipients, recoveryFault }
}

type MembersProps = { lines: readonly number[]; onChange: (lines: readonly number[]) => void; field: ReturnType<typeof useFoundingFields>['field'] }

function Members({ lines, onChange, field }: MembersProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="hf-fieldset">
      <legend>{t('setup.form.members')}</legend>
      <p className="hf-small hf-muted">{t('setup.form.membersNote')}</p>
      {lines.map((line, at) => (
        <div key={line} className="hf-member">
          <TextField {...field(`member${line}`)} maxLength={LONGEST_NAME} autoComplete="off" />
          {lines.length > MIN_MEMBERS && (
            <Button
              variant="quiet"
              icon={<IconTrash />}
              label={t('setup.form.removeMember', { number: at + 1 })}
              onClick={() => onChange(lines.filter((each) => each !== line))}
            />
          )}
        </div>
      ))}
      {lines.length < MAX_MEMBERS && (
        <Button variant="dashed" block icon={<IconPlus />} onClick={() => onChange([...lines, Math.max(...lines) + 1])}>
          {t('setup.form.addMember')}
        </Button>
      )}
    </fieldset>
  )
}
