import { looksLikeName } from '@holdfast/contract'
import { useSession } from '@holdfast/features/session/console'
import { Button, IconBolt, IconPlus, IconTrash, PageHeader, SelectField, TextField, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createSetup } from '../contract.ts'
import { demoFounding, highestThreshold, OFFICERS_NEEDED_MAX, proposedThreshold, recipientsFault, recipientsOf } from './founding-rules.ts'

const MAX_MEMBERS = 20
const MIN_MEMBERS = 2
const LONGEST_NAME = 50
const SIGNERS = [1, 2, 3] as const

type Founding = Parameters<ReturnType<typeof useSend<typeof createSetup>>['mutateAsync']>[0]

/** Asks for the name, the people and the rules of a new organisation; or founds the demo with one click. */
export function FoundingForm({ onBegun }: { onBegun: (setupToken: string) => void }) {
  const { t } = useTranslation()
  const session = useSession()
  const create = useSend(createSetup)
  const begin = async (founding: Founding) => {
    const answer = await create.mutateAsync(founding).catch(() => undefined)
    if (answer) onBegun(answer.setup_token)
  }
  const running = create.isPending ? (create.variables.demo ? 'demo' : 'own') : undefined
  return (
    <section className="hf-founding">
      <PageHeader title={t('setup.form.title')}>{t('setup.form.note')}</PageHeader>
      {session?.demo && (
        <div className="hf-panel hf-demo-offer">
          <div className="hf-grow">
            <h2>{t('setup.demo.title')}</h2>
            <p className="hf-muted">{t('setup.demo.note')}</p>
          </div>
          <Button
            variant="primary"
            size="large"
            icon={<IconBolt />}
            loading={running === 'demo'}
            disabled={running !== undefined}
            onClick={() => void begin({ ...demoFounding, members: [...demoFounding.members], demo: true })}
          >
            {t('setup.demo.start')}
          </Button>
        </div>
      )}
      <OwnOrganisation isSecond={session?.demo ?? false} running={running} onBegin={(founding) => void begin(founding)} />
    </section>
  )
}

type OwnProps = { isSecond: boolean; running: string | undefined; onBegin: (founding: Founding) => void }

function OwnOrganisation({ isSecond, running, onBegin }: OwnProps) {
  const { t } = useTranslation()
  // Each line keeps its number, so that removing one leaves what stands in the others.
  const [lines, setLines] = useState<readonly number[]>([0, 1, 2])
  const [chosen, setChosen] = useState<number>()
  const [officersNeeded, setOfficersNeeded] = useState(1)
  const threshold = Math.min(chosen ?? proposedThreshold(lines.length), highestThreshold(lines.length))
  const memberRules = Object.fromEntries(
    lines.map((line, at) => [
      `member${line}`,
      {
        label: t('setup.form.member', { number: at + 1 }),
        check: (value: string, all: Readonly<Record<string, string>>) =>
          lines.some((other) => other !== line && looksLikeName(all[`member${other}`]?.trim() ?? '', value.trim())) ? t('setup.form.sameName') : undefined,
      },
    ]),
  )
  const recoveryRules = Object.fromEntries(
    SIGNERS.map((signer) => [
      `recovery${signer}`,
      {
        label: t('setup.form.recipients', { signer }),
        check: (value: string, all: Readonly<Record<string, string>>) => {
          const others = SIGNERS.filter((other) => other !== signer).map((other) => all[`recovery${other}`] ?? '')
          const fault = recipientsFault(value, others, officersNeeded)
          return fault === undefined ? undefined : t(`setup.form.${fault}`)
        },
      },
    ]),
  )
  const { form, field, submit } = useTextForm<string>({ name: { label: t('setup.form.name') }, ...memberRules, ...recoveryRules })
  const send = (values: Record<string, string>) =>
    onBegin({
      name: values.name?.trim() ?? '',
      members: lines.map((line) => values[`member${line}`]?.trim() ?? ''),
      threshold,
      recovery: SIGNERS.map((signer) => recipientsOf(values[`recovery${signer}`] ?? '')),
      recovery_threshold: officersNeeded,
      demo: false,
    })
  return (
    <form ref={form} className="hf-panel hf-stack-wide" noValidate onSubmit={(event) => submit(event, send)}>
      {isSecond && <h2>{t('setup.form.own')}</h2>}
      <TextField {...field('name')} maxLength={LONGEST_NAME} autoComplete="organization" />
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
                onClick={() => setLines(lines.filter((each) => each !== line))}
              />
            )}
          </div>
        ))}
        {lines.length < MAX_MEMBERS && (
          <Button variant="dashed" block icon={<IconPlus />} onClick={() => setLines([...lines, Math.max(...lines) + 1])}>
            {t('setup.form.addMember')}
          </Button>
        )}
      </fieldset>
      <SelectField
        label={t('setup.form.threshold')}
        value={String(threshold)}
        hint={t('setup.form.thresholdNote')}
        onChange={(value) => setChosen(Number(value))}
        options={Array.from({ length: highestThreshold(lines.length) }, (_, at) => ({
          value: String(at + 1),
          label: t('setup.form.thresholdOption', { need: at + 1, of: lines.length }),
        }))}
      />
      <fieldset className="hf-fieldset">
        <legend>{t('setup.form.recovery')}</legend>
        <p className="hf-small hf-muted">{t('setup.form.recoveryNote')}</p>
        {SIGNERS.map((signer) => (
          <TextField key={signer} {...field(`recovery${signer}`)} rows={2} placeholder="age1…" className="hf-mono" />
        ))}
        <SelectField
          label={t('setup.form.officers')}
          value={String(officersNeeded)}
          hint={t('setup.form.officersNote')}
          onChange={(value) => setOfficersNeeded(Number(value))}
          options={Array.from({ length: OFFICERS_NEEDED_MAX }, (_, at) => ({
            value: String(at + 1),
            label: t('setup.form.officersOption', { count: at + 1 }),
          }))}
        />
      </fieldset>
      <div>
        <Button type="submit" size="large" variant={isSecond ? 'default' : 'primary'} loading={running === 'own'} disabled={running !== undefined}>
          {t('setup.form.submit')}
        </Button>
      </div>
    </form>
  )
}
