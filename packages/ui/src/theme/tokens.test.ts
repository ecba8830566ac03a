import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf } from './contrast.ts'
import { cssVariables, palettes, type Palette } from './tokens.ts'

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  assert.equal(contrastOf('#777777', '#777777'), 1)
  assert.ok(Math.abs(contrastOf('#1677ff', '#ffffff') - 4.1) < 0.02)
})

test('every text can be read on every surface it stands on, light and dark', () => {
  const texts: (keyof Palette)[] = ['text', 'textMuted', 'textFaint', 'accentText', 'good', 'warn', 'bad']
  const grounds: (keyof Palette)[] = ['page', 'surface', 'raised', 'sunken']
  for (const [mode, palette] of Object.entries(palettes)) {
    const demand = (front: keyof Palette, back: keyof Palette, ratio = 4.5) =>
      assert.ok(contrastOf(palette[front], palette[back]) >= ratio, `${mode}: ${front} on ${back} is ${contrastOf(palette[front], palette[back]).toFixed(2)}`)
    for (const front of texts) for (const back of grounds) demand(front, back)
    for (const state of ['good', 'warn', 'bad'] as const) demand(state, `${state}Soft`)
    for (const front of ['accentText', 'text', 'textMuted'] as const) demand(front, 'accentSoft')
    for (const back of ['accent', 'accentHover'] as const) demand('onAccent', back)
    for (const back of ['surface', 'page'] as const) demand('lineStrong', back, 3)
    for (const series of ['chart1', 'chart2', 'chart3', 'chart4', 'chart5', 'chart6'] as const) demand(series, 'surface', 3)
  }
})

test('the accent carries white text with a contrast of at least 4.5', () => {
  assert.ok(contrastOf(palettes.light.accent, '#ffffff') >= 4.5)
  assert.ok(contrastOf(palettes.dark.accent, '#ffffff') >= 4.5)
})

test('each colour is a custom property', () => {
  assert.equal(cssVariables('light')['--hf-text-muted'], palettes.light.textMuted)
  assert.equal(cssVariables('dark')['--hf-on-accent'], '#ffffff')
})
