import type { Story } from '../story.ts'

const COLOURS = [
  'page surface raised sunken line line-strong button-line',
  'text text-muted text-faint accent accent-hover on-accent accent-text accent-soft',
  'good good-soft warn warn-soft bad bad-soft',
  'chart1 chart2 chart3 chart4 chart5 chart6',
].map((line) => line.split(' '))

export const tokens: Story = {
  key: 'tokens',
  title: 'Colours and letters',
  states: [
    {
      name: 'colours',
      render: () => (
        <div className="hf-stack">
          {COLOURS.map((line) => (
            <div key={line[0]} className="gallery-swatches">
              {line.map((colour) => (
                <div key={colour} className="gallery-swatch">
                  <span style={{ background: `var(--hf-${colour})` }} />
                  <span>{colour}</span>
                </div>
              ))}
            </div>
          ))}
        </div>
      ),
    },
    {
      name: 'type scale',
      render: ({ say }) => (
        <div className="hf-stack-tight">
          <p className="gallery-h1">{say('Wallets 1,234.56', '钱包 1,234.56')}</p>
          <h2>{say('What its sub-wallets hold', '各子钱包的资产')}</h2>
          <h3>{say('Small heading', '小标题')}</h3>
          <p>{say('Text of pages, in sentences.', '页面正文。')}</p>
          <p className="hf-muted">{say('Text that steps back.', '次要文字。')}</p>
          <p className="hf-small hf-faint">{say('Small text under something.', '说明文字。')}</p>
          <p className="hf-mono">0x7099 7970 C518 12dc</p>
        </div>
      ),
    },
  ],
}
