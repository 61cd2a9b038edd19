const functionWords = `
  a about above after again all also am an and another are as at away be because been before being below between both
  but by can could did do does doing done don during each even for from folder get had has have he her him his how i
  if in into is it its just like long made make many may me more most much must my not now of off often on one only or
  other our out over please shall she should since so still such than that the their them then there these they this
  those through to too under until up us use used very was we were what when where which while who whom whose why will
  with without would you your
  (?:any|every|no|some)(?:body|one|thing)?
  go goes going gone went come comes coming came take takes taking took taken give gives given gave put let keep keeps kept
  say says said want wants wanted happen happens happened ran per far big large`

/** A word that carries grammar, belongs to asking, or is a verb that says nothing by itself: what goes, comes or takes. */
export const functionWord: RegExp = new RegExp(`^(?:${functionWords.trim().split(/\s+/).join('|')})$`, 'i')

/** "How hot", "how deeply": what is asked for, which its answer does not say. */
export const measure: string =
  '\\bhow (?!(?:do|does|did|to|is|are|was|were|can|could|should|would|will|has|have|had|come)\\b)\\p{L}+'

/** The words of a text in lower case; identifiers fall apart at their humps and where letters meet digits. */
export function wordsOf(text: string): string[] {
  return (
    text
      .match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}]+/gu)
      ?.map((word) => word.toLowerCase()) ?? []
  )
}

/** Whether two stems are one word: `deliver` and `delivery`, `conf` and `configuration`; not `doc` and `docker`. */
export function alike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let same = 0
  while (same < short.length && short[same] === long[same]) same += 1
  return same / long.length >= (same === short.length && same > 3 ? 0.4 : 0.75)
}
