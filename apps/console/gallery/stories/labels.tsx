import { Label } from '@holdfast/ui'
import { HOSTILE_TEXTS } from '../hostile-texts.ts'
import type { Story } from '../story.ts'

const ORDINARY = ['Treasury', '热钱包 01', 'Équipe «Nord»', 'خزينة الشركة', '👨‍👩‍👧 Family 🇨🇭']

export const labels: Story = {
  key: 'labels',
  title: 'Names people write',
  states: [
    {
      name: 'ordinary',
      render: ({ name }) => (
        <div className="gallery-row">
          {ORDINARY.map((text) => (
            <Label key={text} text={name(text)} />
          ))}
        </div>
      ),
    },
    {
      name: 'hostile, one line',
      render: () => (
        <dl className="hf-facts hf-panel">
          {HOSTILE_TEXTS.map(({ what, text }) => (
            <div key={what} className="hf-fact">
              <dt>{what}</dt>
              <dd>
                <Label text={text} />
              </dd>
            </div>
          ))}
        </dl>
      ),
    },
    {
      name: 'hostile, whole',
      render: () => (
        <dl className="hf-facts hf-panel">
          {HOSTILE_TEXTS.filter(({ text }) => text.length < 1000).map(({ what, text }) => (
            <div key={what} className="hf-fact">
              <dt>{what}</dt>
              <dd>
                <Label text={text} wrap />
              </dd>
            </div>
          ))}
        </dl>
      ),
    },
  ],
}
