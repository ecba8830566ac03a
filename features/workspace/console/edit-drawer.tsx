import { requestIdKeeper, useSend } from '@holdfast/client'
import { Choice, NumberField, Review, WhoField } from '@holdfast/features/strategy/console'
import { DrawerForm, Note } from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkWorkspace, COOLING_HOURS_MAX, DELAY_HOURS_MAX, saveWorkspace, type WorkspaceDraft } from '../contract.ts'
import { faultOfOwn, type Part, peopleOf, presentDraft, withPart, type Workspace } from './workspace.ts'

const idOf = requestIdKeeper()

/** What a draft changes, in words; from here it is proposed. */
export function ReviewDraft({ draft, onBack, children }: { draft: WorkspaceDraft; onBack?: () => void; children?: ReactNode }) {
  const check = useSend(checkWorkspace)
  const propose = useSend(saveWorkspace)
  return (
    <Review
      check={check}
      ask={() => check.mutate({ draft })}
      propose={propose}
      send={(code) => propose.mutate({ request_id: idOf(draft), draft, ...code })}
      {...(onBack && { onBack })}
    >
      {children}
    </Review>
  )
}

/** Fields, and then what they would change. `draft` is undefined as long as they are not whole. */
function Edited({ draft, onTry, children }: { draft: WorkspaceDraft | undefined; onTry: () => void; children: ReactNode }) {
  const { t } = useTranslation('strategyEngine')
  const [isReviewed, setReviewed] = useState(false)
  if (isReviewed && draft) return <ReviewDraft draft={draft} onBack={() => setReviewed(false)} />
  return (
    <DrawerForm
      send={t('workspace.review')}
      onSend={() => {
        onTry()
        setReviewed(draft !== undefined)
      }}
    >
      {children}
    </DrawerForm>
  )
}

const WHOSE = ['governance', 'own'] as const

/** Who is to approve changes of one part: those who govern, or others. */
export function PartDrawer({ part, workspace }: { part: Part; workspace: Workspace }) {
  const { t } = useTranslation('strategyEngine')
  const [whose, setWhose] = useState<(typeof WHOSE)[number]>(part.is_own ? 'own' : 'governance')
  const [own, setOwn] = useState({ need: part.is_own ? part.need : 1, who: part.who })
  const [isTried, setTried] = useState(false)
  const fault = whose === 'own' ? faultOfOwn(own, workspace) : undefined
  const said = isTried && fault ? t(`workspace.fault.${fault}`) : undefined
  const draft = fault ? undefined : withPart(presentDraft(workspace), part.key, whose === 'own' ? own : undefined)
  return (
    <Edited draft={draft} onTry={() => setTried(true)}>
      <p className="hf-muted">{t(`workspace.about.${part.key}`)}</p>
      <Choice
        name="whose"
        label={t('workspace.whose')}
        value={whose}
        options={WHOSE.map((value) => ({ value, label: t(`workspace.of.${value}`), note: t(`workspace.ofNote.${value}`) }))}
        onChange={setWhose}
      />
      {whose === 'own' && (
        <div className="hf-rule-step-fields">
          <NumberField
            label={t('rules.edit.need')}
            value={own.need}
            max={255}
            onChange={(need) => setOwn({ ...own, need })}
            error={fault === 'none' ? said : undefined}
          />
          <div className="hf-stack-tight">
            <span className="hf-label">{t('rules.edit.ofWhom')}</span>
            <WhoField
              label={t('rules.edit.ofWhom')}
              who={own.who}
              names={peopleOf(workspace)}
              onChange={(who) => setOwn({ ...own, who })}
              error={fault === 'none' ? undefined : said}
            />
          </div>
        </div>
      )}
      <Note tone="info" title={t('workspace.decided')}>
        {t('workspace.decidedText')}
      </Note>
    </Edited>
  )
}

/** How long a change that loosens the policy is to wait. */
export function WaitDrawer({ workspace }: { workspace: Workspace }) {
  const present = presentDraft(workspace)
  return <HoursForm what="wait" present={present.delay_h} least={1} most={DELAY_HOURS_MAX} draftOf={(hours) => ({ ...present, delay_h: hours })} />
}

/** How long an address that is put on the whitelist is to wait. */
export function CoolingDrawer({ workspace }: { workspace: Workspace }) {
  const hours = Math.ceil(workspace.cooling_h)
  return (
    <HoursForm what="cooling" present={hours} least={0} most={COOLING_HOURS_MAX} draftOf={(cooling) => ({ ...presentDraft(workspace), cooling_h: cooling })} />
  )
}

/** Who may decide for whoever is away: nobody is a choice like any other. */
export function DeputiesDrawer({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('strategyEngine')
  const [who, setWho] = useState(workspace.deputies)
  return (
    <Edited draft={{ ...presentDraft(workspace), deputies: who }} onTry={() => {}}>
      <p className="hf-muted">{t('workspace.deputies.about')}</p>
      <div className="hf-stack-tight">
        <span className="hf-label">{t('workspace.deputies.edit')}</span>
        <WhoField label={t('workspace.deputies.edit')} who={who} names={peopleOf(workspace)} onChange={setWho} error={undefined} />
      </div>
      <Note tone="info" title={t('workspace.decided')}>
        {t('workspace.deputies.decidedText')}
      </Note>
    </Edited>
  )
}

type HoursFormProps = { what: 'wait' | 'cooling'; present: number; least: number; most: number; draftOf: (hours: number) => WorkspaceDraft }

function HoursForm({ what, present, least, most, draftOf }: HoursFormProps) {
  const { t } = useTranslation('strategyEngine')
  const [hours, setHours] = useState(present)
  const [isTried, setTried] = useState(false)
  const isWhole = hours >= least && hours <= most
  return (
    <Edited draft={isWhole ? draftOf(hours) : undefined} onTry={() => setTried(true)}>
      <p className="hf-muted">{t(`workspace.${what}.about`)}</p>
      <NumberField
        label={t('workspace.wait.hours')}
        value={hours}
        onChange={setHours}
        suffix={<span>{t('rules.unit.hour')}</span>}
        hint={t(`workspace.${what}.hint`, { most })}
        error={isTried && !isWhole ? t('workspace.wait.fault', { least, most }) : undefined}
      />
    </Edited>
  )
}
