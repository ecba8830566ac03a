import { Persons } from '@holdfast/features/policy/console'
import { usePermission } from '@holdfast/features/session/console'
import { newRequestId } from '@holdfast/client'
import { Button, Checkbox, confirm, DrawerForm, IconEdit, IconPlus, IconTrash, Label, TextField, useDrawerPage, useDrawers, useTextForm } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GroupDraft } from '@holdfast/features/rule-draft/contract'
import { dropGroup, type Known, putGroup, rulesWithGroup } from '@holdfast/features/rule-draft/console'
import type { DraftHandle } from '../draft/use-draft.ts'
import type { Rules } from '../draft/use-rules.ts'

/** Groups of people, whom rules name together. */
export function Groups({ rules, handle }: { rules: Rules; handle: DraftHandle }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const mayWrite = usePermission('strategy.write') && rules.view.open_change_id === null
  const { draft } = handle
  const edit = (group: GroupDraft | undefined) => {
    const begun = group ?? { id: newRequestId(), name: '', members: [] }
    const taken = draft.groups.filter(({ id }) => id !== begun.id).map(({ name }) => name)
    void drawers
      .push(
        { title: t(group ? 'rules.group.edit' : 'rules.group.add'), body: <GroupForm {...{ taken }} group={begun} known={rules.known} /> },
        { maskClosable: false },
      )
      .then((made) => made && handle.change(putGroup(draft, made as GroupDraft)))
  }
  const drop = async (group: GroupDraft) => {
    const answer = await confirm(drawers, {
      type: 'remove',
      title: t('rules.group.dropTitle', { name: group.name }),
      content: t('rules.group.dropText'),
      confirmText: t('rules.list.drop'),
    })
    if (answer.outcome === 'confirm') handle.change(dropGroup(draft, group.id))
  }
  return (
    <section className="hf-stack-tight" aria-labelledby="rule-groups">
      <div className="hf-section-head">
        <div>
          <h2 id="rule-groups">{t('rules.group.title')}</h2>
          <p className="hf-small hf-muted">{t('rules.group.note')}</p>
        </div>
        {mayWrite && (
          <Button size="small" icon={<IconPlus />} onClick={() => edit(undefined)}>
            {t('rules.group.add')}
          </Button>
        )}
      </div>
      {draft.groups.length > 0 && (
        <ul className="hf-rule-groups">
          {draft.groups.map((group) => {
            const users = rulesWithGroup(draft, group.id)
            return (
              <li key={group.id} className="hf-panel">
                <div className="hf-rule-head">
                  <h3>
                    <Label text={group.name} wrap />
                  </h3>
                  {mayWrite && (
                    <span className="hf-rule-tools">
                      <button type="button" className="hf-icon-button" aria-label={t('rules.group.editOne', { name: group.name })} onClick={() => edit(group)}>
                        <IconEdit />
                      </button>
                      {users.length === 0 && (
                        <button
                          type="button"
                          className="hf-icon-button"
                          aria-label={t('rules.group.dropOne', { name: group.name })}
                          onClick={() => void drop(group)}
                        >
                          <IconTrash />
                        </button>
                      )}
                    </span>
                  )}
                </div>
                <Members ids={group.members} known={rules.known} />
                {users.length > 0 && (
                  <p className="hf-small hf-faint">
                    <Label text={t('rules.group.usedBy', { rules: users.join(t('rules.say.comma')) })} wrap />
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function Members({ ids, known }: { ids: readonly string[]; known: Known }) {
  return <Persons people={ids.map((id) => ({ person_id: id, name: known.people.find((each) => each.id === id)?.name ?? id }))} />
}

/** The name of a group and who is in it; closes with the group. */
function GroupForm({ group, known, taken }: { group: GroupDraft; known: Known; taken: readonly string[] }) {
  const { t } = useTranslation('strategyEngine')
  const { close } = useDrawerPage()
  const [members, setMembers] = useState(group.members)
  const { form, field, isTried, submit } = useTextForm(
    { name: { label: t('rules.group.name'), check: (name) => (taken.includes(name.trim()) ? t('rules.group.nameTaken') : undefined) } },
    { name: group.name },
  )
  return (
    <DrawerForm
      form={form}
      send={t('rules.group.save')}
      onSend={(event) => submit(event, ({ name }) => members.length > 0 && close({ id: group.id, name: name.trim(), members } satisfies GroupDraft))}
    >
      <TextField {...field('name')} count={30} autoFocus autoComplete="off" />
      <fieldset className="hf-fieldset">
        <legend>{t('rules.group.members')}</legend>
        {known.people.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={members.includes(id)}
            isWrong={isTried && members.length === 0}
            onChange={(isIn) => setMembers(isIn ? [...members, id] : members.filter((each) => each !== id))}
          >
            <Label text={name} wrap />
          </Checkbox>
        ))}
        {isTried && members.length === 0 && (
          <p className="hf-field-error" role="alert">
            {t('rules.fault.nobody')}
          </p>
        )}
      </fieldset>
    </DrawerForm>
  )
}
