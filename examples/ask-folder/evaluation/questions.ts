export interface Question {
  folder: 'shop' | 'notes' | 'logs'
  text: string
  /** Where the answer stands: any of these lines will do. None when the folder does not answer the question. */
  facts: readonly Fact[]
}

export interface Fact {
  file: string
  /** Occurs on exactly one line of the file. */
  words: string
}

/** Written before the example was first asked any of them. */
export const questions: readonly Question[] = [
  {
    folder: 'shop',
    text: 'After how many failed logins is an account locked?',
    facts: [{ file: 'shop/auth/rate_limit.py', words: 'MAX_WRONG_PASSWORDS = 6' }],
  },
  {
    folder: 'shop',
    text: 'How much do I have to spend to get free delivery?',
    facts: [{ file: 'shop/orders/shipping.py', words: 'FREE_SHIPPING_FROM = 6_500' }],
  },
  {
    folder: 'shop',
    text: 'Where do we check that a webhook really comes from Paybridge?',
    facts: [
      { file: 'shop/payments/webhooks.py', words: 'if not is_authentic(' },
      { file: 'shop/payments/webhooks.py', words: 'def is_authentic(' },
      { file: 'shop/payments/webhooks.py', words: 'Compares the HMAC of the body' },
      { file: 'shop/payments/webhooks.py', words: 'hmac.compare_digest(' },
    ],
  },
  {
    folder: 'shop',
    text: 'Why are prices stored as integers?',
    facts: [
      { file: 'docs/adr/0003-money.md', words: 'handled as floats' },
      { file: 'docs/adr/0003-money.md', words: 'because 19.99 times three' },
    ],
  },
  {
    folder: 'shop',
    text: 'What happens to abandoned carts?',
    facts: [{ file: 'shop/jobs/cleanup.py', words: "interval '45 days'" }],
  },
  {
    folder: 'shop',
    text: 'How do I roll back a bad deployment?',
    facts: [
      { file: 'docs/deploy.md', words: 'return to the previous version' },
      { file: 'docs/deploy.md', words: 'fleet deploy fernhill --previous' },
    ],
  },
  {
    folder: 'notes',
    text: 'Who feeds the cat while we are in Porto?',
    facts: [{ file: 'travel/porto-october.md', words: 'Jasper from next door' }],
  },
  {
    folder: 'notes',
    text: 'How long should the sourdough rest in the fridge?',
    facts: [{ file: 'recipes/sourdough.md', words: 'sixteen hours' }],
  },
  {
    folder: 'notes',
    text: "Why didn't we go with the cheapest offer for the roof windows?",
    facts: [
      { file: 'projects/attic.md', words: 'not before September' },
      { file: 'projects/attic.md', words: 'he can start on 20 April' },
    ],
  },
  {
    folder: 'notes',
    text: 'What did the boiler repair cost?',
    facts: [{ file: 'home/boiler.md', words: '264 euros' }],
  },
  {
    folder: 'notes',
    text: 'When does our fixed mortgage rate end?',
    facts: [{ file: 'home/flat-and-money.md', words: '1 September 2028' }],
  },
  {
    folder: 'notes',
    text: 'Which database does the booking tool use?',
    facts: [{ file: 'projects/booking-tool-decisions.md', words: 'SQLite on the little server' }],
  },
  {
    folder: 'logs',
    text: 'Why could nobody pay in the night of 12 March?',
    facts: [{ file: 'payments.log', words: 'the certificate of api.paybridge.example expired' }],
  },
  {
    folder: 'logs',
    text: 'Which disk was full when the backup failed?',
    facts: [{ file: 'backup.log', words: 'no space left on device /mnt/vault2' }],
  },
  {
    folder: 'logs',
    text: 'Who deleted the customer export?',
    facts: [{ file: 'audit.log', words: 'actor=s.okafor action=export.delete' }],
  },
  {
    folder: 'logs',
    text: 'How long did the search index take to rebuild?',
    facts: [{ file: 'search.log', words: '3127 documents in 418 seconds' }],
  },
  {
    folder: 'logs',
    text: 'When did the warehouse stop responding?',
    facts: [{ file: 'worker.log', words: 'warehouse does not answer (503)' }],
  },
  { folder: 'shop', text: 'How many loyalty points does a customer earn with each order?', facts: [] },
  { folder: 'notes', text: "When is Tijn's next swimming lesson?", facts: [] },
  { folder: 'logs', text: 'How many infected uploads were blocked?', facts: [] },
]
