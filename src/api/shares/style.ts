import { createHash } from 'node:crypto';
import { brandStyle, fontFamily } from '../look.ts';

/** The inline style of the pages of links. */
export const style = `:root{color-scheme:light dark;--ground:light-dark(#f4f5f7,#121317);--surface:light-dark(#fff,#191b20);--sunken:light-dark(#e9ebef,#0e0f12);--line:light-dark(#e3e5ea,#2b2e36);--strong:light-dark(#858b97,#737984);--ink:light-dark(#1b1e25,#ebedf1);--soft:light-dark(#5a606b,#a6adb9);--accent:light-dark(#3452b8,#9db3ff);--on:light-dark(#fff,#12182c);--good:light-dark(#17683f,#71d5a0);--bad:light-dark(#b0261f,#ff9d97)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 ${fontFamily}}
${brandStyle}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem;padding-bottom:1.25rem}
.turn{margin-left:auto;display:flex;gap:.6rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;margin:0 0 .35rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:2rem 0 .75rem}
p{margin:.35rem 0;max-width:44rem;overflow-wrap:anywhere}
.message{white-space:pre-line}
.soft{color:var(--soft)}
.bar{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin-top:1.1rem}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
.button,button{display:inline-block;font:inherit;font-weight:600;background:var(--accent);color:var(--on);border:1px solid transparent;border-radius:8px;padding:.5rem 1rem;text-decoration:none;cursor:pointer}
.quiet{background:var(--surface);color:var(--ink);border-color:var(--strong)}
button:disabled{opacity:.5;cursor:default}
.crumbs{display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:0 0 .5rem;list-style:none}
.crumbs li+li::before{content:"/";color:var(--soft);margin-right:.4rem}
.grid li,.crumbs li{min-width:0;overflow-wrap:anywhere}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.9rem;list-style:none;margin:0;padding:0}
.grid a{display:block;color:inherit;text-decoration:none;background:var(--surface);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.grid a:hover{border-color:var(--strong)}
.picture{display:flex;align-items:center;justify-content:center;aspect-ratio:4/3;background:var(--sunken);color:var(--soft);font-weight:700;letter-spacing:.06em}
.picture img{width:100%;height:100%;object-fit:cover;font-size:.75rem;font-weight:400;letter-spacing:0}
.name{display:block;padding:.5rem .7rem .1rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.facts{display:block;padding:0 .7rem .55rem;font-size:.8125rem;color:var(--soft)}
.folders .name{padding:.8rem .9rem;font-weight:600}
figure{margin:0;background:var(--sunken);border:1px solid var(--line);border-radius:12px;overflow:hidden;display:flex;align-items:center;justify-content:center;min-height:16rem}
figure img{display:block;max-width:100%;max-height:78vh;height:auto;width:auto}
figure .kind{font-size:2rem;font-weight:700;letter-spacing:.08em;color:var(--soft)}
form.card,.card{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:1.25rem;max-width:30rem}
label{display:block;font-weight:600;margin-bottom:.25rem}
input[type=password],input[type=text],input[type=file]{font:inherit;width:100%;padding:.5rem .6rem;margin-bottom:.8rem;color:inherit;background:var(--ground);border:1px solid var(--strong);border-radius:8px}
[role=alert],.bad{color:var(--bad)}
.good{color:var(--good)}
.drop{border:2px dashed var(--strong);border-radius:12px;padding:2rem 1.5rem;background:var(--surface);max-width:44rem}
.drop.over{border-color:var(--accent);background:var(--sunken)}
.drop .here{margin-bottom:1rem;font-size:1.0625rem;font-weight:600}
.files{list-style:none;padding:0;margin:1rem 0;max-width:44rem}
.files li{padding:.6rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
progress{width:100%;height:.5rem;accent-color:var(--accent)}
footer{padding:2.5rem 1.25rem;font-size:.8125rem;color:var(--soft)}
@media (max-width:30rem){header{padding-top:1.5rem}h1{font-size:1.375rem}.grid{grid-template-columns:repeat(2,minmax(0,1fr));gap:.6rem}.bar .button{flex:1;text-align:center}}`;

/** The source of a Content-Security-Policy that allows one inline style or script. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
