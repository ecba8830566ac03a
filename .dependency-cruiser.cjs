/** The arrows of ARCHITECTURE.md: apps -> features -> packages, and who may not see whom. */
const pure = '^packages/(units|http-signatures|encoding|intent|policy|mpc|log|protocol|chains/[^/]+/(codec|artifacts)|chains/core)/'
/** The folders of the engine that brings orders to the chain; each may use those before it. */
const engine = ['order', 'slot', 'opening', 'signing', 'settlement', 'replacement']
const tests = '(\\.test\\.tsx?$|/testing/|\\.suite\\.ts$|test-database\\.ts$)'

/**
 * A feature imports what stands on its own floor or on a lower one, all three halves alike. features/floors.json says which stands where.
 */
const { floors } = require('./features/floors.json')
const above = (floor) => floors.slice(floor + 1).flatMap(({ features }) => features)
const into = (features) => `^features/(${features.join('|')})/`
const keepsItsFloor = floors.slice(0, -1).map(({ name, features }, floor) => ({
  name: `nothing-above-${name.replaceAll(' ', '-')}`,
  severity: 'error',
  from: { path: into(features), pathNot: tests },
  to: { path: into(above(floor)) },
}))

module.exports = {
  forbidden: [
    ...keepsItsFloor,
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'packages-know-no-product', severity: 'error', from: { path: '^packages/', pathNot: tests }, to: { path: '^(apps|features)/' } },
    { name: 'features-know-no-program', severity: 'error', from: { path: '^features/', pathNot: tests }, to: { path: '^apps/' } },
    { name: 'programs-stand-apart', severity: 'error', from: { path: '^apps/([^/]+)/', pathNot: tests }, to: { path: '^apps/', pathNot: '^apps/$1/' } },
    { name: 'pure-imports-only-pure', severity: 'error', from: { path: pure, pathNot: tests }, to: { path: '^packages/', pathNot: pure } },
    { name: 'contract-is-only-shape', severity: 'error', from: { path: '^features/[^/]+/[a-z-]*contract\\.ts$' }, to: { path: '^(packages/(?!contract/|units/|policy/src/change/part-names\\.ts|intent/src/screening/screening-levels\\.ts|chains/registry/codec/families\\.ts)|features/(?![^/]+/[a-z-]*contract\\.ts$))' } },
    { name: 'errors-are-only-words', severity: 'error', from: { path: '^features/[^/]+/errors\\.ts$' }, to: { path: '^(packages/(?!contract/)|features/)' } },
    { name: 'console-sees-no-server', severity: 'error', from: { path: '^features/[^/]+/console/' }, to: { path: '^features/[^/]+/server/' } },
    { name: 'server-sees-no-console', severity: 'error', from: { path: '^features/[^/]+/server/' }, to: { path: '^(features/[^/]+/console/|packages/ui/)' } },
    {
      name: 'features-have-front-doors',
      severity: 'error',
      from: { path: '^features/([^/]+)/', pathNot: tests },
      to: { path: '^features/([^/]+)/(server|console)/', pathNot: ['^features/$1/', '^features/[^/]+/(server|console)/index\\.tsx?$'] },
    },
    { name: 'engine-has-no-ring', severity: 'error', from: { path: '^features/transfer/server/' }, to: { circular: true, viaOnly: { path: '^features/transfer/server/' } } },
    ...engine.map((folder, i) => ({
      name: `engine-${folder}-uses-what-is-before-it`,
      severity: 'error',
      from: { path: `^features/transfer/server/${folder}/`, pathNot: tests },
      to: { path: `^features/transfer/server/(${[...engine.slice(i + 1).map((each) => `${each}/`), '[^/]+\\.ts$'].join('|')})` },
    })),
    { name: 'engine-knows-no-history', severity: 'error', from: { path: '^features/transfer/', pathNot: tests }, to: { path: '^features/transaction/' } },
    { name: 'mail-goes-through-its-package', severity: 'error', from: { pathNot: '^packages/mail/' }, to: { path: '(^|/)node_modules/(nodemailer|smtp-server)/' } },
    {
      name: 'signer-sees-only-pure-ports-and-link',
      severity: 'error',
      from: { path: '^apps/signer/', pathNot: tests },
      to: { path: '^(packages|features|apps)/', pathNot: [pure, '^packages/(ports|link)/', '^apps/signer/'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|dist|var)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'], extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
}
