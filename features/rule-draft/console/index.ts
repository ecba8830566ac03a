export { assetOf, type Known, type KnownAsset, networkName } from './known.ts'
export { type ParameterPlace, parameterPlaces, placeOf } from './parameter-types.ts'
export { type Fault, FAULTS_WHILE_TYPING, ruleFaults } from './rule-faults.ts'
export {
  type About,
  type AboutKept,
  approversIn,
  changeCount,
  differences,
  type DraftEntry,
  dropGroup,
  dropRule,
  duplicateRule,
  isNamed,
  moveRule,
  type NamedDraft,
  peopleIn,
  placeRule,
  putGroup,
  putRule,
  rulesOn,
  rulesWithGroup,
  type Shelf,
  shelfOf,
} from './rules-draft.ts'
