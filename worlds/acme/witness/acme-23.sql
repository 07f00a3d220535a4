-- total loss over the premium of the coverages under which the claims were made; nothing counted twice
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
),
claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
),
agent as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'AG'
),
paid as (
  select a.Policy_Amount_Identifier as amount_id, a.Policy_Amount as amount,
    d.Effective_Date as starts, d.Expiration_Date as ends, d.Policy_Coverage_Detail_Identifier as coverage_id,
    p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from policy_amount a
  semi join premium m on m.Policy_Amount_Identifier = a.Policy_Amount_Identifier
  left join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = a.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = a.Effective_Date
  left join policy p on p.Policy_Identifier = d.Policy_Identifier
), loss as (
  select cp.policy_number, agent.party_id as agent_id, sum(m.amount) as total
  from marked m
  left join claim_policy cp on cp.claim_id = m.claim_id
  left join agent on agent.policy_id = cp.policy_id
  group by all
), earned as (
  select paid.policy_number, agent.party_id as agent_id, sum(paid.amount) as total
  from paid
  semi join claim_coverage cc on cc.Policy_Coverage_Detail_Identifier = paid.coverage_id and cc.Effective_Date = paid.starts
  left join agent on agent.policy_id = paid.policy_id
  group by all
)
select loss.policy_number, loss.agent_id, cast(1.0 * loss.total / earned.total as decimal(18, 4)) as loss_ratio
from loss left join earned
  on earned.policy_number is not distinct from loss.policy_number and earned.agent_id is not distinct from loss.agent_id
