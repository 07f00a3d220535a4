-- pairs of a policy and a claim made under it, each once
with claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
)
select cp.policy_number, c.Company_Claim_Number as claim_number
from claim_policy cp join claim c on c.Claim_Identifier = cp.claim_id
