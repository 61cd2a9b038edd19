import { stem } from 'porter2'

/** Words that stand for each other: everyday ones, and those that records and programs have for them. */
const groups = `
  begin start commence launch boot; end finish stop close; cost price fee charge pay spend euro pound dollar cent;
  buy purchase order; sell sale; send post mail transmit; deliver arrive receive ship; repair fix mend; get obtain fetch
  replace change swap exchange renew; remove delete drop purge erase; store save hold archive keep retain;
  fail error break crash fault problem wrong; forbid ban prohibit; allow permit; must need require; lend borrow loan;
  lose miss; write author; make create build produce; rent hire; throw discard; phone telephone mobile;
  photo picture image; ill sick; lamp light; reject refuse decline deny; maximum max limit most cap; minimum min least;
  show display; reason cause because; choose select pick decide; leave depart; help assist support; people person man;
  use consume; see observe; win winner first; big large size; fast speed; heavy weight; child kid; car vehicle;
  answer reply respond; password passcode; job task work
  restart reboot; twice double duplicate; internet network wan uplink; hot heat warm temperature degree;
  cold cool temperature degree; off disable disarm deactivate; on enable arm activate; return back;
  wait delay pause timeout; retry again attempt try; log record history; email mail; user customer client account member;
  guest visitor; bus coach; membership subscription dues; discount reduction rebate; refund reimburse; bill invoice;
  money budget fund; wear dress clothes; food meal; live address; room hall; key unlock; lock block; login sign log;
  connect join link; disconnect offline down; kill terminate; slow latency; check verify validate test inspect;
  find discover detect; count number total amount; often interval every frequency period; expire valid until good;
  old age; long duration length; place location site; far distance; tall high height; full capacity; empty blank;
  copy backup; setting option configuration config; default usual normal; secret token; folder directory; program process;
  memory ram oom; disk space storage; computer machine server host; version release; publish release deploy;
  run execute; update upgrade; install set setup; meet meeting gather; teach teacher train; boss lead chief head chair;
  responsible charge owner; cancel abort; postpone delay move; collect pick; bring fetch; clean wash; hurt injure;
  allergic allergy; doctor physician; shop store; song piece; ticket entry admission; trip travel journey tour;
  night overnight midnight; weekly week; daily day; monthly month; yearly annual year; website web site page;
  cook prepare; eat meal; drink beverage; drive driver ride; fly flight; teach lesson class course; learn study;
  manage run maintain lead; maintenance service upkeep; own belong; join member enter; resign quit leave;
  hire employ recruit; earn wage salary income; firm company supplier vendor; guide tour lead; visit visitor guest;
  call ring phone; speak talk; tell inform notify announce; warn alert alarm notify; suggest propose; agree approve accept;
  vote elect; vacation holiday away; absent missing away apology; present attend; house home building; garden yard;
  street road address; town city village; country nation; sea water ocean; rain wet precipitation; fire burn;
  break broken damage defect fault; leak drip spill; ruin destroy damage lose; steal theft stolen; hide conceal;
  open unlock; shut close; last final latest; next following; previous former earlier; recent new latest;
  quick fast rapid; big huge; little small; wide width; deep depth; high height altitude; weigh weight; speed rate;
  forbidden banned; required mandatory compulsory; free gratis; cheap inexpensive; expensive dear costly;
  amount sum total; half percent; fuel petrol diesel gas; litre liter; medicine drug pill; illness disease;
  dog pet; plant grow sow; harvest pick yield; paint colour color; sew mend; build construct; store warehouse;
  bag sack; box crate case; bin waste rubbish trash garbage; toilet restroom; kitchen cook; bed sleep;
  exceed above over limit; throw raise exception error; return respond status; parse decode; encode serialize;
  request call; crash abort panic segfault; hang stuck freeze; queue backlog wait; overload exhaust; refuse deny forbid;
  unauthorized forbidden denied; attempt try retry; attack probe scan; ban block; certificate cert tls ssl; user name login;
  address ip host; port listen bind; thread worker; cache buffer; database db; query statement; table relation;
  commit revision version; test check; merge join; split divide; load read; write save; flush sync; encrypt cipher;
  upload import; download export fetch; compress zip gzip; size length bytes`

const stems = groups.split(/[;\n]/).map((group) => group.match(/\w+/g)?.map(stem) ?? [])

/** The stems of the words that may stand for the one with this stem in a text. */
export function synonymsOf(one: string): string[] {
  const others = stems.filter((group) => group.includes(one)).flat()
  return [...new Set(others)].filter((other) => other !== one)
}
