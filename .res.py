import re,glob
rows={}
for f in sorted(glob.glob('/tmp/w/lab/.m_soak*.txt')):
    fam=re.search(r'soak2?_([a-z]+)',f).group(1)
    for line in open(f):
        m=re.match(r'proved (\S+)\s+(caught|harmless|waits|-|got through|split|nobody named|honest seat blamed|no occasion)\s+late \[(.*?)\]',line)
        if m and m.group(3): rows.setdefault(fam,{})[m.group(1)]=(m.group(2),len(m.group(3).split(',')),[x.strip() for x in m.group(3).split(',')])
tot=0
for fam,r in rows.items():
    n=sum(v[1] for v in r.values()); tot+=n
    print(fam,len(r),n,{o:sum(v[1] for v in r.values() if v[0]==o) for o in {v[0] for v in r.values()}}, 'late', sorted({x for v in r.values() for x in v[2] if x!='None'}))
print(tot)
